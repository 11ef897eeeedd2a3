import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { getClient } from '../../index.js';
import { listenToProcess } from '../../internal/node/own-listeners.js';
import { SDK_VERSION } from '../../internal/version.js';
import type { Client } from '../../model/contracts.js';
import { dsnToString } from '../../transport/dsn.js';
import { askDestination, sendTestError } from '../destination.js';
import { type DoctorReport, FOLDER_VARIABLE, SEND_VARIABLE } from './report.js';

/**
 * Runs in the application that is examined: waits for its `init`, gives it a second to finish its setup, and writes a
 * report. If the application ends before that, the report has only what is known without waiting.
 */

const POLL_MILLIS = 100;
const SETTLING_MILLIS = 1000;

function watch(): void {
  const folder = process.env[FOLDER_VARIABLE];
  if (!folder || !isMainThread) return;
  let isStarted = false;
  let isWritten = false;
  const write = (report: DoctorReport) => {
    if (isWritten) return;
    isWritten = true;
    const file = join(folder, `${process.pid}.json`);
    writeFileSync(`${file}.part`, JSON.stringify(report));
    renameSync(`${file}.part`, file);
  };
  const examineOnce = () => {
    const client = getClient();
    if (client === undefined || isStarted) return;
    isStarted = true;
    clearInterval(timer);
    writeFileSync(join(folder, `${process.pid}.started`), '');
    examine(client).then(write, () => write(describe(client)));
  };
  const timer = setInterval(() => {
    if (getClient() === undefined) return;
    clearInterval(timer);
    setTimeout(examineOnce, SETTLING_MILLIS).unref();
  }, POLL_MILLIS).unref();
  listenToProcess('beforeExit', examineOnce);
  listenToProcess('exit', () => {
    const client = getClient();
    if (client !== undefined) write(describe(client));
  });
}

async function examine(client: Client): Promise<DoctorReport> {
  const destination = await askDestination(client);
  const test = process.env[SEND_VARIABLE] === '1' ? await sendTestError(client) : undefined;
  // Last, because a hook may have failed by now.
  return { ...describe(client), destination, test };
}

function describe(client: Client): DoctorReport {
  const { problems, notes } = client.openTelemetryStatus();
  const { dsn, settings } = client;
  return { version: SDK_VERSION, isEnabled: settings.enabled, dsn: dsn && dsnToString(dsn), problems, notes };
}

watch();
