// What a system adds to a process by the time its setup has returned: its whole memory, Node's included.

import * as startUp from './start-up.js';

export const title = '`import` and `init`: resident memory';
export const unit = 'MB';
export const { script, systems, baseline, goal } = startUp;
