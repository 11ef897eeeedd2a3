/**
 * What each service of the tests does beside its own work: says on which ports it listens, and, when it is asked to stop,
 * says what became of everything that it captured, and ends.
 *
 * @param {import('node:http').Server | import('node:http').Server[]} servers listening
 * @param {Pick<typeof import('faultline'), 'close' | 'getClient'>} sdk the one that the service uses
 * @param {() => unknown} [end] lets go of what else keeps the process alive
 */
export function announce(servers, { close, getClient }, end = () => undefined) {
  const all = [servers].flat();
  process.on('message', async () => {
    const { ledger } = getClient();
    const flushed = await close(5000);
    process.send({ flushed, balance: ledger.balance() });
    process.disconnect();
    for (const server of all) {
      server.close();
      server.closeAllConnections();
    }
    await end();
  });
  process.send({ ports: all.map((server) => server.address().port) });
}
