import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

const MAX_CONNECTIONS = 10;

/** PostgreSQL itself, compiled to WebAssembly, behind its own protocol on a local port; with a table `users`. */
export async function startPostgres() {
  const db = await PGlite.create();
  await db.exec(`CREATE TABLE users (id text PRIMARY KEY); INSERT INTO users SELECT generate_series(0, 99)::text`);
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: MAX_CONNECTIONS });
  await server.start();
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres`,
    async close() {
      await server.stop();
      await db.close();
    },
  };
}
