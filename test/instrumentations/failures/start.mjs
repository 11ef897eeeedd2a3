// An application that fails in many ways: with its framework's error handler of Faultline, or without Faultline.
import { close, getClient, init } from 'faultline';
import { announce } from '../../support/services/announce.mjs';

const { DSN, APP, FRAMEWORK, ENTRY, PRELOADED } = process.env;

const { start } = await import(`./${APP}.mjs`);
const framework = FRAMEWORK ? await import(FRAMEWORK) : undefined;
if (DSN) {
  if (!PRELOADED) init({ dsn: DSN, tracesSampleRate: 1 });
  announce(await start(framework, await import(`faultline/${ENTRY ?? APP}`)), { close, getClient });
} else {
  const nothing = { close: async () => true, getClient: () => ({ ledger: { balance: () => ({}) } }) };
  announce(await start(framework), nothing);
}
