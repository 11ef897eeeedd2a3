// Applications that fail in many ways: each with its framework's error handler of Faultline, or all without Faultline.
import { close, getClient, init } from 'faultline';
import { announce } from '../../support/services/announce.mjs';

const { DSN, APPS, PRELOADED, WITHOUT_HANDLER } = process.env;

const starts = [];
for (const { app, framework, entry = app, setup } of JSON.parse(APPS)) {
  const { start } = await import(`./${app}.mjs`);
  const loaded = framework && (await import(framework));
  starts.push(async () =>
    start(loaded, DSN && !WITHOUT_HANDLER ? await import(`faultline/${entry}`) : undefined, setup),
  );
}
if (DSN && !PRELOADED) init({ dsn: DSN, tracesSampleRate: 1 });

const servers = [];
for (const start of starts) servers.push(await start());
const nothing = { close: async () => true, getClient: () => ({ ledger: { balance: () => ({}) } }) };
announce(servers, DSN ? { close, getClient } : nothing);
