import { afterEach, expect, it, vi } from 'vitest';
import {
  type ClientOptions,
  captureMessage,
  httpServerIntegration,
  linkedErrorsIntegration,
  localVariablesIntegration,
} from '../../src/index.js';
import { stderrOf } from '../support/stderr-of.js';

/** Options that cannot be meant. seeded-mistakes.test.ts has the mistakes that need a process of their own. */

interface Mistake {
  readonly name: string;
  /** Beside the DSN. */
  readonly options?: { readonly [Name in keyof ClientOptions]?: unknown };
  readonly env?: Readonly<Record<string, string>>;
  readonly says: RegExp;
}

const MISTAKES: readonly Mistake[] = [
  {
    name: 'a DSN without project',
    options: { dsn: 'https://key@errors.example.com/' },
    says: /^faultline: dsn: invalid DSN: .* nothing is sent, because it does not end with the number of a project.*\n$/,
  },
  {
    name: 'a DSN with a typo in the protocol, and with a secret',
    options: { dsn: 'htps://key:hush@errors.example.com/1' },
    says: /^faultline: dsn: invalid DSN: "htps:\/\/key:\[Filtered\]@.*because it begins with neither https.*\n$/,
  },
  {
    name: 'a DSN without key',
    options: { dsn: 'https://errors.example.com/1' },
    says: /^faultline: dsn: invalid DSN: .*because it has no public key.*\n$/,
  },
  {
    name: 'a DSN of the wrong type',
    options: { dsn: new URL('https://key@errors.example.com/1') },
    says: /^faultline: dsn: must be a string, but is an object; nothing is sent\n$/,
  },
  {
    name: 'a tunnel that is no URL',
    options: { tunnel: '/tunnel' },
    says: /^faultline: tunnel: "\/tunnel" is not an absolute http or https URL; nothing is sent\n$/,
  },
  {
    name: 'members of transportOptions that do not exist',
    options: { transportOptions: { timeout: 5, bufferSize: 9, store: { maxByte: 1 } } },
    says: /^faultline: transportOptions\.timeout: .* \(did you mean `transportOptions\.timeoutMillis`\?\)\. transportOptions\.store\.maxByte: .* \(did you mean `transportOptions\.store\.maxBytes`\?\)\n$/,
  },
  {
    name: 'members of transportOptions of the wrong type',
    options: {
      transportOptions: {
        bufferSize: '9',
        timeoutMillis: 0,
        headers: 'a: b',
        proxy: 'socks5://a.test',
        caCerts: 'none',
        store: { directory: 7, maxBytes: '1 MB', maxItems: -1, maxAgeMillis: Number.NaN, transactions: 'both' },
      },
    },
    says: /^faultline: transportOptions\.headers: must be an object, but is "a: b"; it is ignored\. transportOptions\.bufferSize: must be a number of at least 0, but is "9"; the default is used instead\. transportOptions\.timeoutMillis: must be milliseconds, a number above 0, but is 0; .*\. transportOptions\.store\.directory: .* but is 7; .*\.maxBytes: .* "1 MB"; .*\.maxItems: .* -1; .*\.maxAgeMillis: .* NaN; .*\.transactions: must be true or false, but is "both"; the default is used instead\nfaultline: transportOptions\.proxy: must be the URL of an HTTP proxy .*\nfaultline: transportOptions\.caCerts: must be certificates in PEM format .*\n$/,
  },
  {
    name: 'a header that HTTP does not allow, and a store that is neither off nor described',
    options: { transportOptions: { headers: { 'a b': '1' }, store: true } },
    says: /^faultline: transportOptions\.store: must be false or an object, but is true; the default is used instead\nfaultline: transportOptions\.headers: "a b" is not a valid header; it is left out\n$/,
  },
  {
    name: 'blank strings, and numbers that identify nothing',
    options: { environment: ' ', release: '\n', serverName: '\t', orgId: Number.NaN, sampleRate: ' ', dist: '' },
    says: /^faultline: environment: must be a string that is not empty, but is " "; "production" is used instead\. release: .*\. sampleRate: must be a number from 0 to 1, but is " "; 1 is used instead\. serverName: .*\. orgId: must be a number of at least 0, or a string that is not empty, but is NaN; it is ignored\n$/,
  },
  {
    name: 'blank variables',
    env: { FAULTLINE_SAMPLE_RATE: ' ', FAULTLINE_MAX_BREADCRUMBS: ' ', FAULTLINE_TUNNEL: ' ', FAULTLINE_ORG_ID: '' },
    says: /^faultline: FAULTLINE_SAMPLE_RATE: .* but is " "; 1 is used instead\. FAULTLINE_MAX_BREADCRUMBS: .* but is " "; 100 is used instead\. FAULTLINE_TUNNEL: must be a string that is not empty, but is " "; it is ignored\n$/,
  },
  {
    name: 'span processors that are none',
    options: { openTelemetrySpanProcessors: [1, { onStart() {}, onEnd() {} }] },
    says: /^faultline: openTelemetrySpanProcessors: must be an array of span processors; other elements are ignored\n$/,
  },
  {
    name: 'options of integrations of the wrong type',
    options: {
      // Called by init: what is wrong is reported once.
      integrations: () => [
        linkedErrorsIntegration({ limit: '5' as never }),
        httpServerIntegration({ maxIncomingRequestBodySize: true as never, ignoreStatusCodes: ['404' as never] }),
      ],
    },
    says: /^faultline: linkedErrorsIntegration: limit: must be a number, but is "5"; it is ignored\nfaultline: httpServerIntegration: maxIncomingRequestBodySize: must be .*, but is true; it is ignored\nfaultline: httpServerIntegration: ignoreStatusCodes: must be a list of status codes and ranges, .*; its other elements are ignored\n$/,
  },
  {
    name: 'options of the peer that have no effect',
    options: { beforeSendLog: () => null, dataCollection: {}, beforeSnd: () => null } as never,
    says: /^faultline: beforeSendLog: there is no such option; it is ignored\. Send logs with OpenTelemetry, or .*\. dataCollection: .*\. Use sendDefaultPii and scrubbing\. beforeSnd: .* \(did you mean `beforeSend`\?\)\n$/,
  },
  {
    name: 'a list of scrubbing that does not exist',
    options: { scrubbing: { field: ['iban'] } },
    says: /^faultline: scrubbing\.field: .* \(did you mean `scrubbing\.fields`\?\)\n$/,
  },
  {
    name: 'a hook that is no function, and an integration in place of a list',
    options: { beforeSend: 'drop', integrations: localVariablesIntegration() },
    says: /^faultline: beforeSend: must be a function, but is "drop"; it is ignored\. integrations: must be .*, but is an object; it is ignored\n$/,
  },
  {
    name: 'a variable with a rate that is no number',
    env: { FAULTLINE_TRACES_SAMPLE_RATE: 'abc' },
    says: /^faultline: FAULTLINE_TRACES_SAMPLE_RATE: must be a number from 0 to 1, but is "abc"; 0 is used instead\n$/,
  },
  {
    name: 'a variable that is to turn the SDK off, and says so in a word of its own',
    env: { FAULTLINE_ENABLED: 'disabled' },
    says: /^faultline: FAULTLINE_ENABLED: must be true or false, but is "disabled"; true is used instead\n$/,
  },
  {
    name: 'options of the wrong type, and one that is empty on purpose',
    options: { environment: 7, release: '', maxBreadcrumbs: '5', ignoreErrors: 'one' },
    says: /^faultline: environment: must be .*, but is 7; .*\. maxBreadcrumbs: must be a number of at least 0, but is "5"; 100 is used instead\n$/,
  },
  {
    name: 'elements of lists that match nothing, beside an empty string on purpose',
    options: {
      ignoreErrors: [TypeError],
      ignoreTransactions: [/a/, undefined],
      denyUrls: [1],
      allowUrls: ['', 'app/'],
      scrubbing: { fields: 'iban' },
    },
    says: /^faultline: ignoreErrors: must be .*; other elements are ignored\. ignoreTransactions: must be .*\. denyUrls: must be .*\. scrubbing\.fields: must be .*\n$/,
  },
  {
    name: 'a member of ignoreSpans that does not exist',
    options: { ignoreSpans: ['a', /b/, { nam: 'mid', op: undefined }, { name: 'mid' }] },
    says: /^faultline: ignoreSpans\[2\]\.nam: there is no such member; it is ignored \(did you mean `ignoreSpans\[2\]\.name`\?\)\n$/,
  },
  {
    name: 'an address without a protocol, and a list in place of an object',
    options: { spotlight: 'localhost:8969', scrubbing: ['a'] },
    says: /^faultline: spotlight: must be true, false or a URL such as http:.*, but is "localhost:8969"; it is ignored\. scrubbing: must be an object with .*, but is an array whose first element is "a"; it is ignored\n$/,
  },
  {
    name: 'a transport that is none',
    options: { transport: () => 1 },
    says: /^faultline: transport: the function must return an object with send, but has not returned one \(1\); it is ignored\n$/,
  },
  {
    name: 'a transport that throws',
    options: {
      transport: () => {
        throw new Error('no');
      },
    },
    says: /^faultline: transport: the function must return an object with send, .*\n$/,
  },
  {
    name: 'a variable with a count that is no number',
    env: { FAULTLINE_MAX_VALUE_LENGTH: 'abc' },
    says: /^faultline: FAULTLINE_MAX_VALUE_LENGTH: must be a number of at least 0, but is "abc"; 250 is used instead\n$/,
  },
  {
    name: 'the DSN of another SDK',
    options: { dsn: undefined },
    env: { SENTRY_DSN: 'https://key@errors.example.com/1' },
    says: /^faultline: SENTRY_DSN is read by faultline\/sentry only, and there is no dsn: nothing is sent\. Set FAULTLINE_DSN\n$/,
  },
  {
    name: 'the DSN of another SDK, with spotlight turned off',
    options: { dsn: undefined, spotlight: false },
    env: { SENTRY_DSN: 'https://key@errors.example.com/1' },
    says: /^faultline: SENTRY_DSN is read by faultline\/sentry only, .*\n$/,
  },
  {
    name: 'rates that are out of range',
    options: { sampleRate: -1, tracesSampleRate: 5 },
    says: /^faultline: sampleRate: must be a number from 0 to 1, but is -1; 1 is used instead\. tracesSampleRate: must be a number from 0 to 1, but is 5; 0 is used instead\n$/,
  },
  {
    name: 'a DSN in an environment variable that is none',
    options: { dsn: undefined },
    env: { FAULTLINE_DSN: 'errors.example.com' },
    says: /^faultline: dsn: invalid DSN: "errors.example.com"; nothing is sent.*\n$/,
  },
];

afterEach(() => vi.unstubAllEnvs());

it.each(MISTAKES)('one line on stderr names $name', async ({ options = {}, env = {}, says }) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(await stderrOf(options, () => captureMessage('hello'))).toMatch(says);
});
