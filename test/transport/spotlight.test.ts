import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { captureMessage, init } from '../../src/index.js';
import { resetOpenTelemetry, tell } from '../support/story.js';

let url: string;
let statusCode: number;
let requests: { type?: string; encoding?: string; body: string }[];
let stop: () => void;

beforeEach(async () => {
  statusCode = 200;
  requests = [];
  const sidecar = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      requests.push({ type: request.headers['content-type'], encoding: request.headers['content-encoding'], body });
      response.writeHead(statusCode).end();
    });
  });
  await new Promise<void>((resolve) => sidecar.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(sidecar.address() as { port: number }).port}/stream`;
  stop = () => {
    sidecar.close();
    sidecar.closeAllConnections();
  };
});

afterEach(() => stop());

describe('a Spotlight sidecar', () => {
  it('gets a copy of each envelope', async () => {
    await tell(
      { spotlight: url },
      () => void captureMessage('to both'),
      ({ receiver }) => {
        expect(receiver.events.map(({ message }) => message)).toEqual(['to both']);
        expect(requests.map(({ type }) => type)).toEqual(['application/x-sentry-envelope']);
        expect(requests[0].body).toContain('to both');
      },
    );
  });

  it('gets nothing more after four failures in a row, which trouble nobody', async () => {
    statusCode = 500;
    await tell({ spotlight: url }, async ({ client }) => {
      for (let i = 0; i < 8; i++) {
        captureMessage(`${i}`);
        await client.flush(5000);
      }
      expect(requests).toHaveLength(4);
    });
  });

  it('gets events without a DSN too, uncompressed; the ledger has them as discarded', async () => {
    const client = init({ spotlight: url, maxValueLength: 0 });
    captureMessage('x'.repeat(40_000));
    expect(await client.flush(5000)).toBe(true);
    expect(requests).toHaveLength(1);
    expect(requests[0].encoding).toBeUndefined();
    expect(client.ledger.balance().error).toEqual({
      captured: 1,
      delivered: 0,
      discarded: 1,
      queued: 0,
      stored: 0,
      recovered: 0,
    });
    await client.close();
    resetOpenTelemetry();
  });
});
