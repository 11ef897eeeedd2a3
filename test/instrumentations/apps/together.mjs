// Several applications in one process, each on a port of its own: `FILES` names them, separated by spaces.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countServers } from './users.mjs';

for (const [index, file] of process.env.FILES.split(' ').entries()) {
  await import(`./${file}`);
  while (countServers() <= index) await nextTurn();
}
