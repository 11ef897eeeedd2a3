// The process of a cell: `node program.js <end>` captures and ends as that end says; `node program.js recover` starts the
// SDK, and ends when its stdin does. Without FAULTLINE_DSN there is no SDK.
import { writeSync } from 'node:fs';
import { ENDS } from './ends.js';
import { startSdk } from './start-sdk.js';

const [, , how] = process.argv;
const capture = await startSdk();

const program = {
  capture,
  finish: () => print(`finish ${Date.now()}`),
  waitForSignal() {
    setInterval(() => undefined, 1000);
    print('ready');
  },
  say: (/** @type {string} */ line) => print(`say ${line}`),
};

if (how === 'recover') process.stdin.resume();
else await ENDS.find(({ name }) => name === how)?.run(program);

/** @param {string} line */
function print(line) {
  writeSync(1, `${line}\n`);
}
