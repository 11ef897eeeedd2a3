// A worker thread of a cell: captures, and ends as `workerData` says.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { startSdk } from './start-sdk.js';

const capture = await startSdk();
capture();
if (workerData === 'waits') {
  parentPort?.on('message', () => undefined).postMessage('ready');
} else {
  writeSync(1, `finish ${Date.now()}\n`);
  if (workerData === 'exits') process.exit(4);
}
