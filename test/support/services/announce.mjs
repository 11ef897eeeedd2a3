/**
 * What each service of the tests does beside its own work: says on which port it listens, and, when it is asked to stop,
 * says what became of everything that it captured, and ends.
 *
 * @param {import('node:http').Server} server listening
 * @param {Pick<typeof import('faultline'), 'close' | 'getClient'>} sdk the one that the service uses
 * @param {() => unknown} [end] lets go of what else keeps the process alive
 */
export function announce(server, { close, getClient }, end = () => undefined) {
  process.on('message', async () => {
    const { ledger } = getClient();
    const flushed = await close(5000);
    process.send({ flushed, balance: ledger.balance() });
    process.disconnect();
    server.close();
    server.closeAllConnections();
    await end();
  });
  process.send({ port: server.address().port });
}
