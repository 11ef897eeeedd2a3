import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { SDK_MAJOR } from '../src/internal/version.js';
import { resetOpenTelemetry } from './support/story.js';

const DIST = join(import.meta.dirname, '../dist');
const requireFromDist = createRequire(join(DIST, 'index.cjs'));

afterEach(resetOpenTelemetry);

/** Loads the built package as Jest does: with a `require` of its own, which may not be called after the tests. */
function loadInJest() {
  const loaded = new Map<string, { exports: unknown }>();
  const late: string[] = [];
  let isTornDown = false;
  const load = (file: string): unknown => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const run = new Function('exports', 'require', 'module', '__filename', '__dirname', readFileSync(file, 'utf8'));
    run(module.exports, requireIn, module, file, dirname(file));
    return module.exports;
  };
  const requireIn = (id: string): unknown => {
    if (isTornDown) late.push(id);
    return id.startsWith('./') ? load(join(DIST, id)) : requireFromDist(id);
  };
  const faultline = load(join(DIST, 'index.cjs')) as typeof import('../src/index.js');
  return {
    faultline,
    loadTesting: () => load(join(DIST, 'testing.cjs')) as typeof import('../src/testing/testing.js'),
    late,
    tearDown: () => {
      isTornDown = true;
    },
  };
}

it('nothing is required while what a Jest test captured is sent after its end', async () => {
  const { faultline, late, tearDown } = loadInJest();
  const sent: unknown[] = [];
  faultline.init({
    dsn: 'http://publickey@127.0.0.1:9/1',
    tracesSampleRate: 1,
    beforeSend: (event) => {
      sent.push(event.exception?.values?.[0]?.value);
      return null;
    },
  });
  faultline.startSpan({ name: 'work' }, () => faultline.captureException(new Error('broken')));
  tearDown();
  await faultline.close();
  expect(sent).toEqual(['broken']);
  expect(late).toEqual([]);
});

it.each([`faultline.v${SDK_MAJOR}`, 'opentelemetry.js.api.1'])(
  'Jest keeps the members of the global %s',
  async (name) => {
    const { faultline } = loadInJest();
    faultline.init();
    const slot = Reflect.get(globalThis, Symbol.for(name)) as object;
    expect(Reflect.get(slot, Symbol.for('$$jest-protect-from-deletion'))).toEqual([]);
    expect(Object.keys(slot)).not.toEqual([]);
    await faultline.close();
  },
);

it('faultline/testing records in each test file, which loads all modules anew', async () => {
  for (const file of ['first.test.js', 'second.test.js']) {
    const { faultline, loadTesting, late, tearDown } = loadInJest();
    const { anError, recordEvents, reset } = loadTesting();
    const sent = recordEvents();
    faultline.captureException(new TypeError(file));
    expect(await sent.next('error', file)).toEqual(anError({ type: 'TypeError', value: file }));
    expect(sent.errors).toHaveLength(1);
    tearDown();
    await reset();
    expect(late).toEqual([]);
  }
});
