// `node writer.js <name> <interval> <buffer size>` captures an error every few milliseconds until its stdin ends, and prints
// after each how its ledger stands. The errors bear the name.
import { writeSync } from 'node:fs';
import { captureException, init, setTag } from 'faultline';

const [, , name, intervalMillis, bufferSize] = process.argv;

const client = init({ quiet: true, transportOptions: { bufferSize: Number(bufferSize) } });
setTag('writer', name);
let count = 0;
const capturing = setInterval(() => {
  count += 1;
  captureException(new Error(`error ${count}`));
  printBalance();
}, Number(intervalMillis));
process.stdin.once('end', () => clearInterval(capturing)).resume();
process.on('exit', printBalance);

function printBalance() {
  writeSync(1, `${JSON.stringify(client.ledger.balance().error ?? {})}\n`);
}
