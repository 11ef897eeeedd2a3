import { describe, expect, it } from 'vitest';
import { captureMessage, type User, withScope } from '../../src/index.js';
import { sendEvent } from './send.js';

describe('User', () => {
  it.each<[title: string, user: User]>([
    ['id is sent', { id: '42' }],
    ['email is sent', { email: 'ada@shop.test' }],
    ['username is sent', { username: 'ada' }],
    ['ip_address is sent', { ip_address: '192.0.2.1' }],
    ['keys of the caller, such as role and beta_tester, are sent', { id: '42', role: 'admin', beta_tester: true }],
  ])('%s', async (_, user) => {
    const event = await sendEvent(() =>
      withScope((scope) => {
        scope.setUser(user);
        captureMessage('m');
      }),
    );
    expect(event.user).toEqual(user);
  });
});
