// Installs BullMQ, and runs its tests against a Redis server of their own, for which `redis-server` has to be installed.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';

execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: new URL('.', import.meta.url) });

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

const redis = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--loglevel', 'warning']);
redis.on('error', () => {
  console.error('redis-server was not found. Install Redis (Debian: apt-get install redis-server) and run this again.');
  process.exitCode = 1;
});
redis.on('spawn', () => {
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--config', 'test/tooling/vitest.config.ts', 'test/instrumentations/jobs.test.ts'],
    { stdio: 'inherit', env: { ...process.env, REDIS_URL: `redis://127.0.0.1:${port}` } },
  );
  redis.kill();
  process.exitCode = status ?? 1;
});
