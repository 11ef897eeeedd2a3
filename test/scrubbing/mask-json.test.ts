import { expect, it } from 'vitest';
import { maskJson } from '../../src/scrubbing/mask-json.js';
import { sensitiveNames } from '../../src/scrubbing/sensitive-names.js';

const NAMES = sensitiveNames(true);
const SECRET = 'x8Qz3vT6kW1';

it.each([
  { tokens: [SECRET, 'y9Ra4wU7lX2'] },
  { keys: [SECRET] },
  { argv: ['-u', 'me', '-p', SECRET] },
  { tokens: { access: SECRET } },
  { session: SECRET },
  { sess: SECRET },
  { WEB_PUSH_PRIVATE: SECRET },
  { access: SECRET + SECRET, refresh: SECRET + SECRET },
  { primaryKey: SECRET + SECRET, key1: SECRET + SECRET, plaintext: SECRET + SECRET },
  { kty: 'RSA', d: SECRET, p: SECRET },
  { seed: 'legal winner thank year wave sausage worth useful legal winner thank yellow' },
  { note: 'Password: letmein' },
  { passphrase: 'it is as it letmein', password: 'do not say letmein', auth: ['basic', 'letmein'] },
])('members of common names are masked if they look like credentials: %j', (data) => {
  expect(JSON.stringify(maskJson(data, NAMES))).not.toMatch(/x8Qz|y9Ra|legal|letmein/);
});

it.each([
  { tokens: ['a', 'b'], keys: ['id', 'name'] },
  { tokens: { prompt: 12, completion: 40 } },
  { keys: ['507f1f77bcf86cd799439011', 'uploads/2024/a1b2.png'] },
  { session: 'keynote-2026', access: 'read-only', refresh: true, seed: 1732245678 },
  { authSource: 'admin', authStrategy: 'jwt', tokenErrors: 3, tokenExpirationSeconds: 3600 },
  { errors: { password: 'is required' }, fieldErrors: { token: ['Required'], pin: ['is too short', 'is invalid'] } },
  { errors: { password: 'password is required', pin: 'This field may not be blank.' }, auth: 'oauth2', secrets: 3 },
  { password: ['must be at least 8 characters', 'must contain 1 digit'], token: 'Token has expired' },
  { primaryKey: 'id', key1: '507f1f77bcf86cd799439011', plaintext: 'hello world' },
  { error: 'invalid_token', error_description: 'The access token expired' },
])('and stay if they do not: %j', (data) => {
  expect(maskJson(data, NAMES)).toEqual(data);
});
