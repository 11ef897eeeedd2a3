// How one system starts, in a process of its own: `node start.js <system>`. Prints one line of JSON.

const [systemName] = process.argv.slice(2);

const before = process.cpuUsage();
const { setup } = await import(`./systems/${systemName}.js`);
setup({ tracesSampleRate: 1, spansPerOperation: 1 });
const { user, system } = process.cpuUsage(before);

process.stdout.write(JSON.stringify({ cpuMicros: user + system, bytes: 0 }));
// Whatever a system holds open is not what is measured.
process.exit();
