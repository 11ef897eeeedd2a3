import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { event, postEnvelope, report, transaction } from '../support/envelope-bytes.js';
import { HAS_TERMINAL, startTool, startToolInTerminal, writeApp } from './tool.js';

const SHOP = `
import http from 'node:http';
import { addBreadcrumb, captureException, init, setTag } from 'faultline';
init();
const server = http.createServer((request, response) => {
  setTag('region', 'eu');
  addBreadcrumb({ category: 'cart', message: 'cart was opened' });
  response.end();
  const user = undefined;
  try {
    user.name;
  } catch (error) {
    captureException(error);
  }
});
server.listen(0, async () => {
  await fetch('http://127.0.0.1:' + server.address().port + '/users/7');
  server.close();
  server.closeAllConnections();
  process.exitCode = 3;
});
`;

describe('faultline dev -- node app.mjs', () => {
  it('prints errors with stack, source, tags and breadcrumbs, and traces as waterfalls, and ends as the command', async () => {
    const { folder, file } = writeApp(SHOP);
    const run = startTool(['dev', '--port', '0', '--', process.execPath, file], {}, folder);
    const { code, stdout, stderr } = await run.ended();
    expect(stderr).toMatch(/error TypeError: Cannot read properties of undefined \(reading 'name'\)\n/);
    expect(stderr).toMatch(/at Server.* \(app\.mjs:11:10\)\n/);
    const source = /(.*│.*\n){5}/
      .exec(stderr)?.[0]
      .split('\n')
      .map((line) => line.trim());
    expect(source?.[2]).toBe('❯ 11 │     user.name;');
    expect(stderr).toMatch(/tags region=eu/);
    expect(stderr).toMatch(/cart: cart was opened/);
    expect(stderr).toMatch(/trace \w{32}: .*1 error.*\n█.*http\.server .*GET \/users\/7/);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });

  it('says which requests of a trace failed without an error that was captured', async () => {
    const { folder, file } = writeApp(`
      import http from 'node:http';
      import { captureException, init } from 'faultline';
      init();
      const server = http.createServer(async ({ url }, response) => {
        if (url === '/captured') captureException(new Error('down'));
        if (url === '/gateway') await fetch('http://127.0.0.1:' + server.address().port + '/captured');
        response.writeHead(url === '/ok' ? 200 : 500).end();
      });
      server.listen(0, async () => {
        const { port } = server.address();
        for (const path of ['/ok', '/broken', '/gateway']) await fetch('http://127.0.0.1:' + port + path);
        server.close();
        server.closeAllConnections();
      });`);
    const { stderr } = await startTool(['dev', '--port', '0', '--', process.execPath, file], {}, folder).ended();
    expect(stderr.match(/no error was captured/g)).toHaveLength(1);
    expect(stderr).toMatch(
      /GET \/broken.*\n(?:.*\n)* {2}Answered with 5xx, and no error was captured: GET \/broken\. If/,
    );
  });

  it('names what has discarded the errors of requests that failed', async () => {
    const { folder, file } = writeApp(`
      import http from 'node:http';
      import { captureException, init } from 'faultline';
      init({ ignoreErrors: ['down'] });
      const server = http.createServer((_, response) => {
        captureException(new Error('down'));
        response.writeHead(500).end();
      });
      server.listen(0, async () => {
        await fetch('http://127.0.0.1:' + server.address().port + '/orders');
        server.closeAllConnections();
        // A service goes on, and its trace is shown before it ends.
        setTimeout(() => server.close(), 4000);
      });`);
    const { stderr } = await startTool(['dev', '--port', '0', '--', process.execPath, file], {}, folder).ended();
    expect(stderr).toContain('the SDK discarded 1 error (event_processor: ignoreErrors, allowUrls, denyUrls, ');
    expect(stderr).toMatch(
      /Answered with 5xx, and no error arrived: GET \/orders\. So far, the SDK has discarded 1 error \(event_processor: ignoreErrors, /,
    );
    expect(stderr).not.toContain('no error was captured');
  });

  it.each([
    ['sampleRate: 0', /2 errors \(sample_rate: sampleRate\)\./],
    ['beforeSend: () => null', /2 errors \(before_send: beforeSend\)\./],
  ])('says that all was discarded, and by what: %s', async (options, discarded) => {
    const { folder, file } = writeApp(`
      import { captureException, flush, init } from 'faultline';
      init({ ${options} });
      captureException(new Error('one'));
      await flush();
      captureException(new Error('two'));`);
    const { stderr } = await startTool(['dev', '--port', '0', '--', process.execPath, file], {}, folder).ended();
    expect(stderr).toMatch(/nothing arrived from this command, .* because all was discarded:\n/);
    expect(stderr).toMatch(discarded);
    expect(stderr).not.toContain('Does it call init()?');
  });

  it('says that a transaction is lost when a script calls process.exit() at once', async () => {
    const { folder, file } = writeApp(`
      import { init, startSpan } from 'faultline';
      init();
      startSpan({ name: 'job' }, () => undefined);
      process.exit();`);
    const { stderr } = await startTool(['dev', '--port', '0', '--', process.execPath, file], {}, folder).ended();
    expect(stderr).toContain(
      '1 transaction (network_error: the command ended before it was sent, as with process.exit())',
    );
  });

  it('shows what a script has captured right before process.exit(), and says where it was', async () => {
    const { folder, file } = writeApp(`
      import { captureException, init } from 'faultline';
      init({ enabled: true });
      captureException(new Error('no configuration'));
      process.exit(4);`);
    // For the command alone.
    const env = { FAULTLINE_DEBUG: 'true', FAULTLINE_ENABLED: 'false', FAULTLINE_TUNNEL: 'http://127.0.0.1:9/' };
    const run = startTool(['dev', '--port', '0', '--', process.execPath, file], env, folder);
    const { code, stderr } = await run.ended();
    expect(stderr).toMatch(/error Error: no configuration\n/);
    // Of the command alone: the tool does not speak of its own client.
    expect(stderr.match(/Faultline \S+ started/g)).toHaveLength(1);
    expect(stderr).toContain('1 of these events was unsent when the command ended, as with process.exit()');
    expect(stderr).not.toContain('nothing arrived');
    expect(code).toBe(4);
  });

  it('sets the destination and the rate for the command, and leaves its output alone', async () => {
    const { FAULTLINE_TRACES_SAMPLE_RATE: rate, ...names } = {
      FAULTLINE_DSN: 'FAULTLINE_DSN',
      FAULTLINE_TRACES_SAMPLE_RATE: 'FAULTLINE_TRACES_SAMPLE_RATE',
    };
    const script = `console.log(process.env.${names.FAULTLINE_DSN}, process.env.${rate})`;
    const run = startTool(['dev', '--port', '0', '--', process.execPath, '-e', script]);
    const { code, stdout, stderr } = await run.ended();
    expect(stdout).toMatch(/^http:\/\/local@127\.0\.0\.1:\d+\/1 1\n$/);
    expect(stderr).toContain('nothing arrived from this command');
    expect(code).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'passes %s on, and ends by the signal that ended the command',
    async (signal) => {
      const script = 'console.log("ready"); setInterval(() => {}, 1000)';
      const run = startTool(['dev', '--port', '0', '--', process.execPath, '-e', script]);
      await run.until(/ready/);
      run.child.kill(signal);
      expect(await run.ended()).toMatchObject({ code: null, signal });
    },
  );

  it('passes a signal on to what the command has started, and waits for it', async () => {
    const script = `
      process.on('SIGTERM', () => setTimeout(() => { console.log('stopped'); process.exit(); }, 300));
      console.log('ready'); setInterval(() => {}, 1000);`;
    const shell = ['sh', '-c', `'${process.execPath}' -e "$SCRIPT"; exit 7`];
    const run = startTool(['dev', '--port', '0', '--', ...shell], { SCRIPT: script });
    await run.until(/ready/);
    run.child.kill('SIGTERM');
    expect(await run.ended()).toMatchObject({ code: null, signal: 'SIGTERM', stdout: 'ready\nstopped\n' });
  });

  it.skipIf(!HAS_TERMINAL)('in a terminal, Ctrl+C reaches what the command has started, once', async () => {
    const { folder, file } = writeApp(`
      process.on('SIGINT', () => { console.log('interrupted'); setTimeout(() => process.exit(4), 300); });
      console.log('ready ' + process.stdin.isTTY); setInterval(() => {}, 1000);`);
    const shell = ['sh', '-c', `'${process.execPath}' '${file}'; exit $?`];
    const run = startToolInTerminal(['dev', '--port', '0', '--', ...shell], folder);
    await run.until(/ready true/);
    run.child.stdin?.write('\x03');
    const { stdout } = await run.ended();
    expect(stdout.match(/interrupted/g)).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')(
    'leaves the input to the command, which may read it as it comes',
    async () => {
      const shell = `head -c 1000000 /dev/zero | '${process.execPath}' dist/cli.cjs dev --port 0 -- wc -c`;
      const { stdout } = await promisify(execFile)('sh', ['-c', shell]);
      expect(stdout.trim()).toBe('1000000');
    },
  );

  it('waits for a command that handles the signal, and takes its exit code', async () => {
    const script = `
      process.on('SIGTERM', () => { console.log('stopping'); setTimeout(() => process.exit(5), 50); });
      console.log('ready'); setInterval(() => {}, 1000)`;
    const run = startTool(['dev', '--port', '0', '--', process.execPath, '-e', script]);
    await run.until(/ready/);
    run.child.kill('SIGTERM');
    expect(await run.ended()).toMatchObject({ code: 5, signal: null, stdout: 'ready\nstopping\n' });
  });

  it.skipIf(!HAS_TERMINAL)('in a terminal, keeps the page open until Ctrl+C if something arrived', async () => {
    const { folder, file } = writeApp(SHOP);
    const run = startToolInTerminal(['dev', '--port', '0', '--', process.execPath, file], folder);
    const [, url] = await run.until(/The page stays open at (\S+); Ctrl\+C ends it/);
    expect((await fetch(url!)).status).toBe(200);
    run.child.stdin?.write('\x03');
    expect(await run.ended()).toMatchObject({ code: 3 });
  });

  it.skipIf(!HAS_TERMINAL)('in a terminal, ends with a command from which nothing arrived', async () => {
    const run = startToolInTerminal(['dev', '--port', '0', '--', process.execPath, '--version'], process.cwd());
    const { code, stdout } = await run.ended();
    expect(stdout).toContain('nothing arrived from this command');
    expect(code).toBe(0);
  });

  it('says that a command without a name cannot be started', async () => {
    const { code, stderr } = await startTool(['dev', '--port', '0', '--', '']).ended();
    expect([code, stderr]).toEqual([127, expect.stringContaining('the command cannot be started: its name is empty')]);
  });

  it('says that a command cannot be started', async () => {
    const { code, stderr } = await startTool(['dev', '--port', '0', '--', './no-such-command']).ended();
    expect(stderr).toContain('./no-such-command cannot be started: spawn ./no-such-command ENOENT');
    expect(code).toBe(127);
  });
});

/** The local destination alone. */
async function startDestination() {
  const run = startTool(['dev', '--port', '0']);
  const [, dsn] = await run.until(/FAULTLINE_DSN=(\S+)/);
  const url = new URL('/', dsn!.replace('local@', '')).href;
  return { run, dsn: dsn!, url, post: (bytes: Buffer) => postEnvelope({ dsn: dsn! }, bytes) };
}

describe('the local destination', () => {
  it('prints errors at once, a trace when all of it has arrived, and what applications discarded', async () => {
    const { run, post } = await startDestination();
    await post(event({ server_name: 'shop', exception: { values: [{ type: 'CardError', value: 'expired' }] } }));
    await run.until(/^error CardError: expired\n/m);
    await post(transaction({ server_name: 'shop', spans: [] }));
    const [trace] = await run.until(/^trace .*: 1 span, 1 error[\s\S]*expired \(shop\)/m);
    expect(trace).toMatch(/GET \/ .*shop\n.*✗ CardError: expired/);
    await post(report({ reason: 'no_parent_span', category: 'span', quantity: 1 }));
    await post(report({ reason: { toString: 1 }, category: 'error', quantity: 1 }));
    await post(report({ reason: 'x', category: 'error', quantity: 2 }));
    await run.until(/the SDK discarded 2 errors \(x\)/);
    expect(run.output().stderr).not.toContain('no_parent_span');
  });

  it('prints the stack of an issue once', async () => {
    const { run, post } = await startDestination();
    for (let i = 0; i < 3; i++) await post(event({ message: 'card expired' }));
    await run.until(/error card expired \(seen 3 times\)/);
    expect(run.output().stderr.match(/of trace/g)).toHaveLength(1);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends by %s, as a shell expects', async (signal) => {
    const { run } = await startDestination();
    run.child.kill(signal);
    expect(await run.ended()).toMatchObject({ code: null, signal });
  });

  it('takes a free port when its own is in use, and says so', async () => {
    const blocker = createServer().listen(4747, '127.0.0.1');
    await Promise.race([once(blocker, 'listening'), once(blocker, 'error')]);
    onTestFinished(() => void blocker.close());
    const run = startTool(['dev']);
    const [, port] = await run.until(/http:\/\/127\.0\.0\.1:(\d+) \(port 4747 is in use\)/);
    expect(port).not.toBe('4747');
  });

  it('refuses to start on a port that was asked for and is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as { port: number };
    const { code, stderr } = await startTool(['dev', '--port', String(port)]).ended();
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Port ${port} is in use`)]);
  });
});

describe('nothing but this machine reaches it:', () => {
  const ask = async (url: string, headers: Record<string, string>, method = 'GET') => {
    const request = http.request(url, { method, headers });
    request.end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    return { statusCode: response.statusCode, headers: response.headers };
  };

  it('a name that resolves to the loopback address is refused, and so are other web pages', async () => {
    const { url } = await startDestination();
    const { host } = new URL(url);
    const statusOf = async (headers: Record<string, string>, path = '', method = 'GET') =>
      (await ask(`${url}${path}`, headers, method)).statusCode;
    expect(await statusOf({ host })).toBe(200);
    expect(await statusOf({ host: host.replace('127.0.0.1', 'localhost') })).toBe(200);
    expect(await statusOf({ host: 'evil.example' })).toBe(403);
    expect(await statusOf({ host: `127.0.0.1.evil.example:80` })).toBe(403);
    expect(await statusOf({ host, origin: 'http://evil.example' })).toBe(403);
    expect(await statusOf({ host, origin: 'null' }, 'api/1/envelope/', 'POST')).toBe(403);
    expect(await statusOf({ host, 'sec-fetch-site': 'cross-site' }, 'api/stream')).toBe(403);
  });

  it('listens on the loopback address only', async () => {
    const { url } = await startDestination();
    const { port } = new URL(url);
    // 127.0.0.2 is of this machine, too, and is reached by whoever listens on all addresses.
    const outcome = fetch(`http://127.0.0.2:${port}/`).then(
      () => 'reached',
      () => 'refused',
    );
    expect(await outcome).toBe('refused');
  });

  it('allows no other page to read it, and the page nothing but its own files', async () => {
    const { url } = await startDestination();
    const { headers } = await ask(url, {});
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('what is no envelope', () => {
  it.each([
    ['garbage', Buffer.from('garbage'), '', 400],
    ['another key', event(), '/api/1/envelope/?sentry_key=other', 403],
    ['another project', event(), '/api/2/envelope/?sentry_key=local', 404],
  ])('%s is refused', async (_what, body, path, statusCode) => {
    const { dsn } = await startDestination();
    expect((await postEnvelope({ dsn }, body, {}, path || undefined)).statusCode).toBe(statusCode);
  });
});
