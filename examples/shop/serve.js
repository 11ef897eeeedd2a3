import { close } from 'faultline';

/**
 * Listens on a free port of 127.0.0.1, tells the parent process (or the terminal) where, and stops when it is asked to:
 * open requests are answered, what was captured is delivered, and then nothing is left that keeps the process alive.
 *
 * @param {import('node:http').Server} server
 */
export function serve(server) {
  server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const url = `http://127.0.0.1:${port}`;
    if (process.send === undefined) console.log(`${process.env['SERVICE_NAME'] ?? 'service'} at ${url}`);
    else process.send({ url });
  });

  const stop = async () => {
    await new Promise((resolve) => server.close(resolve));
    await close();
    if (process.connected) process.disconnect();
  };
  process.once('SIGTERM', stop);
  // The demo ends its services by letting go of them; so they also end when the demo dies.
  process.once('disconnect', stop);
}
