import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, captureMessage, startSpan } from '../../src/index.js';
import { sendEvent, sendTransaction } from './send.js';

const APPLICATION = { release: 'shop@1.4.0', dist: '42' };

describe('Versioning', () => {
  it('release and dist identify the version of the application', async () => {
    const event = await sendEvent(() => captureMessage('m'), APPLICATION);
    const transaction = await sendTransaction(() => startSpan({ name: 'a' }, () => undefined), APPLICATION);
    expect([event, transaction]).toMatchObject([APPLICATION, APPLICATION]);
  });

  it('the version of the interface is the one in package.json, whatever release and dist are', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const versions: ClientOptions[] = [APPLICATION, {}, { release: 'shop@9.9.9', dist: '9.9.9' }];
    for (const options of versions) {
      const event = await sendEvent(() => captureMessage('m'), options);
      expect(event).toMatchObject({ sdk: { version, packages: [{ version }] } });
      expect([event.release, event.dist]).toEqual([options.release, options.dist]);
    }
  });
});
