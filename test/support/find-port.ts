import { createServer } from 'node:net';

/** A port that nobody uses at this moment. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
