import { close } from 'faultline';

/**
 * Listens on a free port of 127.0.0.1 and reports the address to the parent process, or prints it. On SIGTERM or when the
 * parent disconnects, it answers open requests, delivers what was captured, and exits.
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
  // The demo stops its services by disconnecting; a demo that dies stops them too.
  process.once('disconnect', stop);
}
