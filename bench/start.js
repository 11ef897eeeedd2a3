// How one system starts, in a process of its own: `node --expose-gc start.js <system> <scenario>`. Prints one line of JSON.

const BYTES_PER_MEGABYTE = 1e6;

const [systemName, scenarioName] = process.argv.slice(2);

const before = process.cpuUsage();
const { setup } = await import(`./systems/${systemName}.js`);
setup({ tracesSampleRate: 1, spansPerOperation: 1 });
const { user, system } = process.cpuUsage(before);
const residentMegabytes = process.memoryUsage.rss() / BYTES_PER_MEGABYTE;

const figure = scenarioName === 'start-up-memory' ? residentMegabytes : user + system;
process.stdout.write(JSON.stringify({ figure, bytes: 0 }));
// Whatever a system holds open is not what is measured.
process.exit();
