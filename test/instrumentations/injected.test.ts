import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const APP = fileURLToPath(new URL('apps/injected.mjs', import.meta.url));

interface Recorded {
  readonly errors: unknown;
  readonly messages: unknown;
  readonly transactions: unknown;
}

/** `app.inject()` and `app.request()`, as tests and serverless adapters call them. */
describe('requests that no server has received', () => {
  let recorded: { readonly [framework: string]: Recorded } & { readonly handedOver: unknown };
  beforeAll(() => {
    recorded = JSON.parse(execFileSync(process.execPath, [APP], { encoding: 'utf8' })) as typeof recorded;
  });

  it('end with their answer, also where nothing closes it', () => {
    expect(recorded.handedOver).toBe('GET /users/:id');
  });

  it.each(['fastify', 'fastify4', 'hono'])('have scopes, traces and transactions of their own in %s', (framework) => {
    const { errors, messages, transactions } = recorded[framework]!;
    const broken = 'GET /users/:id/broken';
    expect(errors).toEqual(['1', '2', '3'].map((id) => [id, broken, `/users/${id}/broken`, `no ${id}`]));
    expect(messages).toEqual([
      ['in the job', '9'],
      ['outside', null],
    ]);
    expect(transactions).toEqual([
      ['GET /users/:id', 'ok', '', ['load']],
      ['GET /users/:id', 'ok', 'a', ['load']],
      ['GET /users/:id', 'ok', 'b', ['load']],
      [broken, 'internal_error', '', []],
      [broken, 'internal_error', '', []],
      [broken, 'internal_error', '', []],
      ['GET /users/:id/refused', 'not_found', '', ['refuse']],
      ['invocation', 'ok', '', ['load']],
      ['job', 'ok', '', ['load']],
      ['start-up', 'ok', '', []],
    ]);
  });
});
