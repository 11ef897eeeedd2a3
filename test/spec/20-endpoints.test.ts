import { describe, expect, it } from 'vitest';
import * as faultline from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';
import { sendEvent, UUID } from './send.js';

describe('Endpoints', () => {
  it('are functions and methods', () => {
    const functions = [
      'init',
      'captureEvent',
      'captureException',
      'captureMessage',
      'getCurrentScope',
      'getClient',
      'getActiveSpan',
      'updateSpanName',
      'uuid4',
      'getDynamicSamplingContextFromSpan',
      'startSpan',
      'startInactiveSpan',
      'startSpanManual',
      'Client',
      'Scope',
    ];
    const exported = faultline as unknown as Record<string, unknown>;
    expect(functions.filter((name) => typeof exported[name] !== 'function')).toEqual([]);
  });

  it('that set something on a scope return the scope, for chaining', () => {
    const scope = new faultline.Scope();
    const results = [
      scope.setUser({ id: '42' }),
      scope.setUser(null),
      scope.setTag('a', '1'),
      scope.setTags({ b: '2' }),
      scope.setExtra('a', 1),
      scope.setExtras({ b: 2 }),
      scope.setContext('a', { b: 1 }),
      scope.setContext('a', null),
      scope.setContexts({ c: { d: 1 } }),
      scope.setLevel('debug'),
      scope.setFingerprint(['a']),
      scope.addBreadcrumb({ message: 'a' }),
      scope.clearBreadcrumbs(),
      scope.addEventProcessor((event) => event),
      scope.addAttachment({ filename: 'a', data: 'b' }),
      scope.setPropagationContext(scope.getPropagationContext()),
      scope.clear(),
    ];
    expect(results.every((result) => result === scope)).toBe(true);
  });

  it('init takes options, and returns the client at once', async () => {
    const client = faultline.init({ environment: 'staging' });
    expect(client).toBeInstanceOf(faultline.Client);
    expect(faultline.getClient()).toBe(client);
    await client.close();
    resetOpenTelemetry();
  });

  it('captureException takes any value and a hint or capture context, and returns the event id', async () => {
    let id = '';
    const event = await sendEvent(() => {
      id = faultline.captureException(new TypeError('no'), { tags: { a: '1' } });
    });
    expect(id).toMatch(UUID);
    expect(event).toMatchObject({ event_id: id, level: 'error', tags: { a: '1' } });
    expect(event.exception?.values).toMatchObject([{ type: 'TypeError', value: 'no' }]);
  });

  it('captureMessage takes a text and a level or capture context, and returns the event id', async () => {
    let id = '';
    const levelled = await sendEvent(() => {
      id = faultline.captureMessage('m', 'warning');
    });
    expect(levelled).toMatchObject({ event_id: id, message: 'm', level: 'warning' });
    const tagged = await sendEvent(() => faultline.captureMessage('m', { tags: { a: '1' } }));
    expect(tagged).toMatchObject({ message: 'm', level: 'info', tags: { a: '1' } });
  });
});
