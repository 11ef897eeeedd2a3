import { expect, it } from 'vitest';
import { captureException } from '../../src/index.js';
import { contextLinesIntegration } from '../../src/integrations/context-lines/context-lines.js';
import { type RewriteFramesOptions, rewriteFramesIntegration } from '../../src/integrations/rewrite-frames.js';
import type { Client } from '../../src/model/contracts.js';
import type { Event } from '../../src/model/event/event.js';
import type { StackFrame } from '../../src/model/event/exception.js';
import { tell } from '../support/story.js';

function rewritten(frame: StackFrame, options?: RewriteFramesOptions): StackFrame {
  const event: Event = { exception: { values: [{ stacktrace: { frames: [frame] } }] } };
  rewriteFramesIntegration(options).enrichEvent!(event, {}, {} as Client);
  return event.exception!.values![0]!.stacktrace!.frames![0]!;
}

it('files arrive relative to the root, with the source lines that were read from where they are', async () => {
  await tell(
    {
      defaultIntegrations: false,
      integrations: [contextLinesIntegration(), rewriteFramesIntegration({ root: process.cwd() })],
      denyUrls: ['app:///'],
    },
    () => void captureException(new Error('here')),
    ({ receiver }) => {
      const frame = receiver.events[0]?.exception?.values?.[0]?.stacktrace?.frames?.at(-1);
      expect(frame?.filename).toBe('app:///test/integrations/rewrite-frames.test.ts');
      expect(frame?.context_line).toContain("new Error('here')");
    },
  );
});

it.each<[filename: string | undefined, options: RewriteFramesOptions, result: string | undefined]>([
  ['/srv/app/dist/a.js', {}, 'app:///a.js'],
  ['/srv/app/dist/a.js', { root: '/srv/app' }, 'app:///dist/a.js'],
  ['/srv/app/dist/a.js', { root: '/srv/app/' }, 'app:///dist/a.js'],
  ['/srv/other/a.js', { root: '/srv/app' }, 'app:///../other/a.js'],
  ['/srv/app/a.js', { prefix: '~/' }, '~/a.js'],
  ['C:\\srv\\app\\a.js', { root: 'C:\\srv' }, 'app:///app/a.js'],
  ['c:/srv/app/a.js', { root: 'C:\\srv' }, 'app:///app/a.js'],
  ['\\\\host\\srv\\a.js', {}, 'app:///a.js'],
  ['node:fs', {}, 'node:fs'],
  ['<anonymous>', {}, '<anonymous>'],
  ['https://cdn.example.com/a.js', {}, 'https://cdn.example.com/a.js'],
  [undefined, {}, undefined],
])('%s with %j becomes %s', (filename, options, result) => {
  expect(rewritten({ filename, lineno: 3 }, options)).toEqual({ filename: result, lineno: 3 });
});

it('an iteratee takes the place of all that', () => {
  const iteratee = (frame: StackFrame) => ({ ...frame, module: 'm' });
  expect(rewritten({ filename: '/a.js' }, { iteratee })).toEqual({ filename: '/a.js', module: 'm' });
});

it.each<[what: string, iteratee: unknown]>([
  [
    'throws',
    (frame: StackFrame) => {
      frame.filename = 'half done';
      throw new Error('no');
    },
  ],
  ['returns nothing', () => undefined],
])('an iteratee that %s leaves the frame as it is', (_, iteratee) => {
  expect(rewritten({ filename: '/a.js' }, { iteratee } as RewriteFramesOptions)).toEqual({ filename: '/a.js' });
});

it('what was given is not written into, and what has no frames is kept', () => {
  const given: Event = { exception: { values: [{ value: 'x' }, { stacktrace: { frames: [{ filename: '/a.js' }] } }] } };
  const copy = structuredClone(given);
  const event = { ...given };
  const integration = rewriteFramesIntegration();
  integration.enrichEvent!(event, {}, {} as Client);
  expect(given).toEqual(copy);
  expect(event.exception?.values).toEqual([{ value: 'x' }, { stacktrace: { frames: [{ filename: 'app:///a.js' }] } }]);
  const message: Event = { message: 'm' };
  integration.enrichEvent!(message, {}, {} as Client);
  expect(message).toEqual({ message: 'm' });
});
