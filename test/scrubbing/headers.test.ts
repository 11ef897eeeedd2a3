import { expect, it } from 'vitest';
import { filterHeader } from '../../src/scrubbing/headers.js';
import { sensitiveNames } from '../../src/scrubbing/sensitive-names.js';

const [CREDENTIAL, PERSONAL, HARMLESS] = [
  ['[Filtered]', '[Filtered]'],
  ['[Filtered]', 'x'],
  ['x', 'x'],
];

it.each([
  ['authorization', CREDENTIAL],
  ['cookie', CREDENTIAL],
  ['set-cookie', CREDENTIAL],
  ['x-api-key', CREDENTIAL],
  ['x-deepl-key', CREDENTIAL],
  ['x-ticket', CREDENTIAL],
  ['jenkins-crumb', CREDENTIAL],
  ['x-firebase-appcheck', CREDENTIAL],
  ['x-trello-webhook', CREDENTIAL],
  ['x-wopi-proof', CREDENTIAL],
  ['x-wopi-proofold', CREDENTIAL],
  ['x-payment', CREDENTIAL],
  ['x-magic-link', CREDENTIAL],
  ['x-payment-method', HARMLESS],
  ['x-breadcrumbs', HARMLESS],
  ['x-forwarded-for', PERSONAL],
  ['cf-connecting-ip', PERSONAL],
  ['x-azure-clientip', PERSONAL],
  ['cloudfront-viewer-address', PERSONAL],
  ['x-remote-user', PERSONAL],
  ['from', PERSONAL],
  ['clientip', PERSONAL],
  ['x-ip', PERSONAL],
  ['x-zip', PERSONAL],
  ['x-client-ipv6', PERSONAL],
  ['x-membership-ip', PERSONAL],
  ['x-user', PERSONAL],
  ['x-user-mail', PERSONAL],
  ['x-user-display', PERSONAL],
  ['x-end-user', PERSONAL],
  ['x-forwarded-user', PERSONAL],
  ['x-user-agent-ip', PERSONAL],
  ['x-membership', HARMLESS],
  ['x-relationship', HARMLESS],
  ['x-ship', HARMLESS],
  ['x-tooltip', HARMLESS],
  ['x-tip', HARMLESS],
  ['x-cache-skip', HARMLESS],
  ['x-trip', HARMLESS],
  ['x-ipfs-path', HARMLESS],
  ['x-user-tier', HARMLESS],
  ['x-user-roles', HARMLESS],
  ['x-shop-user-language', HARMLESS],
  ['x-original-user-agent', HARMLESS],
  ['via', HARMLESS],
  ['x-idempotency-key', HARMLESS],
  ['x-forwarded-proto', HARMLESS],
  ['x-forwarded-host', HARMLESS],
  ['idempotency-key', HARMLESS],
  ['ok-access-passphrase', CREDENTIAL],
  ['x-otp', CREDENTIAL],
  ['x-session', CREDENTIAL],
  ['x-access', CREDENTIAL],
  ['x-session-count', HARMLESS],
  ['session', CREDENTIAL],
  ['x-jfrog-art-api', CREDENTIAL],
  ['dpop', CREDENTIAL],
  ['x-pin', CREDENTIAL],
  ['x-passcode', CREDENTIAL],
  ['x-security-code', CREDENTIAL],
  ['accept', HARMLESS],
  ['user-agent', HARMLESS],
  ['content-type', HARMLESS],
  ['x-request-id', HARMLESS],
  ['host', HARMLESS],
])('of the header %s leave, without and with personal data: %j', (name, expected) => {
  expect([filterHeader(name, 'x', sensitiveNames(false)), filterHeader(name, 'x', sensitiveNames(true))]).toEqual(
    expected,
  );
});

it.each<[name: string, value: unknown, expected: unknown]>([
  ['referer', 'https://me:pw@a.test/?token=x&b=1', 'https://[filtered]:[filtered]@a.test/?token=[Filtered]&b=1'],
  ['x-context', '{"password":"x"}', '[Filtered]'],
  ['x-trace', 'eyJhbGciOiJI.eyJzdWIiOiIx.sig', '[Filtered]'],
  ['accept', 'text/html;q=0.9, */*;q=0.8', 'text/html;q=0.9, */*;q=0.8'],
  ['accept', ['a', '/?token=x'], ['a', '/?token=[Filtered]']],
  ['authorization', ['a', 'b'], '[Filtered]'],
  ['age', 5, 5],
  ['sec-websocket-protocol', 'access_token, x8Qz3vT6kW1aB4cD', '[Filtered]'],
  ['sec-websocket-protocol', 'base64url.bearer.authorization.k8s.io.x8Qz3vT6kW1aB4cD, v4', '[Filtered]'],
  ['sec-websocket-protocol', 'x8Qz3vT6kW1aB4cD', '[Filtered]'],
  ['sec-websocket-protocol', 'bearer, letmeinplease', '[Filtered]'],
  ['sec-websocket-protocol', 'graphql-transport-ws, token, v12', 'graphql-transport-ws, token, v12'],
])('the value of %s: %j leaves as %j', (name, value, expected) => {
  expect(filterHeader(name, value, sensitiveNames(false))).toEqual(expected);
});

it('filters a header the same when it is seen again, with other names to go by, too', () => {
  const [withoutPersonal, withPersonal] = [sensitiveNames(false), sensitiveNames(true)];
  for (let i = 0; i < 3; i++) {
    expect(filterHeader('from', 'me', withPersonal)).toBe('me');
    expect(filterHeader('from', 'me', withoutPersonal)).toBe('[Filtered]');
    expect(filterHeader('referer', '/?token=x', withPersonal)).toBe('/?token=[Filtered]');
    expect(filterHeader('accept', '*/*', withPersonal)).toBe('*/*');
  }
});
