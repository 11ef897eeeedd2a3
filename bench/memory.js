// The memory that one system needs in one scenario, in a process of its own: `node --expose-gc memory.js <system> <scenario>`.
// Prints one line of JSON.

const BYTES_PER_MEGABYTE = 1e6;
/** So many that all code has run and is compiled: it is in use afterwards, too. */
const WARM_UP_SPANS = 5000;

const [systemName, scenarioName] = process.argv.slice(2);
const { setup: options, spans, run, isPeak } = await import(`./scenarios/${scenarioName}.js`);
const { setup } = await import(`./systems/${systemName}.js`);

const system = setup(options);
await run(WARM_UP_SPANS, () => undefined);
await system.flush();
const deliveredBefore = system.delivery.spans;
const before = bytesInUse();
let peak = before;
await run(spans, () => {
  peak = Math.max(peak, bytesInUse());
});
await system.flush();
const kept = bytesInUse();

const deliveredShare = (system.delivery.spans - deliveredBefore) / spans;
const figure = ((isPeak ? peak : kept) - before) / BYTES_PER_MEGABYTE;
process.stdout.write(JSON.stringify({ figure, bytes: system.delivery.bytes, deliveredShare }));
process.exit();

/** What a garbage collection leaves, without the payloads that were kept to look at. */
function bytesInUse() {
  system.delivery.samples.length = 0;
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
