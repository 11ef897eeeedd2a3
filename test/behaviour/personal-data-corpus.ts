import { exec, execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type http from 'node:http';
import { promisify } from 'node:util';
import { type Attributes, SpanKind, trace } from '@opentelemetry/api';
import { captureException } from '../../src/index.js';
import { type Answer, request } from '../integrations/http/servers.js';

/** Where rows are played: a service in this process that captures an error in each request. */
export interface Place {
  readonly url: string;
}

/** One way for a secret to come near an event. Texts hold it unencoded, so that it is found wherever it leaves. */
export interface Row {
  readonly place: string;
  readonly shape: string;
  /** Letters and digits, different in each row, unless the shape asks for more. */
  readonly secret: string;
  /** Personal rather than a credential: leaves with `sendDefaultPii`. */
  readonly isPersonal: boolean;
  play(place: Place): unknown;
}

type Secretive<T> = (secret: string) => T;
type Kind = 'credential' | 'personal';

export const rows: Row[] = [];

function add(
  place: string,
  shape: string,
  kind: Kind,
  play: (secret: string, place: Place) => unknown,
  secret?: string,
) {
  const own = secret ?? `leak${String(rows.length).padStart(3, '0')}x8Qz3vT6kW1`;
  rows.push({ place, shape, secret: own, isPersonal: kind === 'personal', play: (given) => play(own, given) });
}

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJsZWFrIn0.c2lnbmF0dXJlLW9mLXRva2Vu';
const MAX_BODY_BYTES = 10_000;

/** Of incoming requests. */
const HEADERS: [name: string, kind: Kind, value: Secretive<string>, secret?: string][] = [
  ['authorization', 'credential', (secret) => `Bearer ${secret}`],
  ['authorization', 'credential', (secret) => `Basic ${secret}`],
  ['proxy-authorization', 'credential', (secret) => `Digest username="${secret}"`],
  ['x-api-key', 'credential', (secret) => secret],
  ['x-auth-token', 'credential', (secret) => secret],
  ['x-csrf-token', 'credential', (secret) => secret],
  ['x-amz-security-token', 'credential', (secret) => secret],
  ['x-session-id', 'credential', (secret) => secret],
  ['x-hub-signature-256', 'credential', (secret) => `sha256=${secret}`],
  ['x-oidc-data', 'credential', (secret) => secret, `${JWT}1`],
  ['referer', 'credential', (secret) => `https://shop.test/cb?access_token=${secret}`],
  ['referer', 'credential', (secret) => `https://me:${secret}@shop.test/`],
  ['x-original-url', 'credential', (secret) => `/reset?password=${secret}`],
  ['x-context', 'credential', (secret) => `{"password":"${secret}"}`],
  ['baggage', 'credential', (secret) => `tenant=1,token=${secret}`],
  ['cookie', 'personal', (secret) => `theme=dark; visitor=${secret}`],
  ['cookie', 'personal', (secret) => `sid=${secret}`],
  ['x-forwarded-for', 'personal', (secret) => `${secret}, 10.0.0.1`, '203.0.113.11'],
  ['forwarded', 'personal', (secret) => `for=${secret};proto=http`, '203.0.113.12'],
  ['x-real-ip', 'personal', (secret) => secret, '203.0.113.13'],
  ['cf-connecting-ip', 'personal', (secret) => secret, '203.0.113.14'],
  ['true-client-ip', 'personal', (secret) => secret, '2001:db8::15'],
  ['x-envoy-external-address', 'personal', (secret) => secret, '203.0.113.16'],
  ['x-forwarded-email', 'personal', (secret) => `${secret}@mail.test`],
  ['x-remote-user', 'personal', (secret) => secret],
  ['x-ms-client-principal-name', 'personal', (secret) => secret],
  ['from', 'personal', (secret) => `${secret}@mail.test`],
];

/** In the targets of incoming requests, and in the URLs of outgoing ones. */
const TARGETS: [shape: string, kind: Kind, target: Secretive<string>, secret?: string][] = [
  ['access_token', 'credential', (secret) => `/cb?page=2&access_token=${secret}`],
  ['api_key', 'credential', (secret) => `/cb?api_key=${secret}&page=2`],
  ['password', 'credential', (secret) => `/cb?password=${secret}`],
  ['a short name', 'credential', (secret) => `/cb?sid=${secret}&otp=${secret}&pass=${secret}`],
  ['a signature', 'credential', (secret) => `/f?X-Amz-Signature=${secret}&X-Amz-Credential=${secret}%2F1`],
  ['the code of a sign-in', 'credential', (secret) => `/cb?code=${secret}&state=1`],
  ['an encoded name', 'credential', (secret) => `/cb?pass%77ord=${secret}`],
  ['a malformed name', 'credential', (secret) => `/cb?pass%77ord%=${secret}`],
  ['a name in brackets', 'credential', (secret) => `/cb?user[sid]=${secret}&user%5Bpassword%5D=${secret}`],
  ['semicolons', 'credential', (secret) => `/cb?a=1;token=${secret}`],
  ['a URL in it', 'credential', (secret) => `/cb?to=https://shop.test/?token=${secret}`],
  ['an encoded URL in it', 'credential', (secret) => `/cb?to=https%3A%2F%2Fme%3A${secret}%40shop.test%2F`],
  ['an encoded query in it', 'credential', (secret) => `/cb?to=%2Fcb%3Ftoken%3D${secret}%26a%3D1`],
  ['JSON in it', 'credential', (secret) => `/cb?data=%7B%22password%22%3A%22${secret}%22%7D`],
  ['a session in the path', 'credential', (secret) => `/cart;jsessionid=${secret}/items`],
  ['a JWT under any name', 'credential', (secret) => `/cb?x=${secret}`, `${JWT}2`],
  ['a JWT in the path', 'credential', (secret) => `/invitations/${secret}`, `${JWT}3`],
  ['a key of a known service', 'credential', (secret) => `/cb?x=${secret}`, 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
  ['an e-mail address', 'personal', (secret) => `/cb?email=${secret}%40mail.test`],
  ['a phone number', 'personal', (secret) => `/cb?phone=${secret}`],
];

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Of incoming requests. */
const BODIES: [shape: string, type: string, kind: Kind, body: Secretive<string>, secret?: string][] = [
  ['a form', FORM_TYPE, 'credential', (secret) => `user=me&password=${secret}`],
  ['a form, cut', FORM_TYPE, 'credential', (secret) => cutWithin(secret, 'a=', '&password=')],
  ['a form with an encoded name', FORM_TYPE, 'credential', (secret) => `%70assword=${secret}&a=1`],
  ['a form named text', 'text/plain', 'credential', (secret) => `password=${secret}`],
  ['a form of lines', 'text/plain', 'credential', (secret) => `user=me\r\npassword=${secret}\r\n`],
  ['JSON', JSON_TYPE, 'credential', (secret) => JSON.stringify({ user: 'me', password: secret })],
  ['JSON in a list', JSON_TYPE, 'credential', (secret) => `[1, { "accessToken" : "${secret}" }]`],
  ['JSON below a name', JSON_TYPE, 'credential', (secret) => `{"credentials":{"a":["${secret}"]},"b":1}`],
  ['JSON with a number', JSON_TYPE, 'credential', (secret) => `{"pin":${secret},"a":1}`, '90210444'],
  ['JSON with an escaped name', JSON_TYPE, 'credential', (secret) => `{"pass\\u0077ord":"${secret}"}`],
  ['JSON with escapes', JSON_TYPE, 'credential', (secret) => JSON.stringify({ token: `"}\\"${secret}` })],
  ['JSON, cut in a text', JSON_TYPE, 'credential', (secret) => cutWithin(secret, '{"a":"', '","password":"')],
  ['JSON, cut below a name', JSON_TYPE, 'credential', (secret) => cutWithin(secret, '{"a":"', '","auth":{"a":"')],
  ['JSON, cut after it', JSON_TYPE, 'credential', (secret) => `{"secret":"${secret}","a":"${'x'.repeat(20_000)}"}`],
  ['JSON named a form', FORM_TYPE, 'credential', (secret) => `{"password":"${secret}"}`],
  ['JSON named text', 'text/plain', 'credential', (secret) => `{"password":"${secret}"}`],
  ['JSON in JSON', JSON_TYPE, 'credential', (secret) => JSON.stringify({ a: JSON.stringify({ token: secret }) })],
  ['lines of JSON', 'application/x-ndjson', 'credential', (secret) => `{"a":1}\n{"token":"${secret}"}\n`],
  ['JavaScript', 'application/json5', 'credential', (secret) => `{ password: '${secret}', a: 1 }`],
  ['GraphQL', JSON_TYPE, 'credential', (secret) => JSON.stringify({ query: `{ login(password: "${secret}") }` })],
  ['GraphQL alone', 'application/graphql', 'credential', (secret) => `mutation { login(password: "${secret}") }`],
  ['XML', 'application/xml', 'credential', (secret) => `<login><password type="a">${secret}</password></login>`],
  ['YAML', 'application/yaml', 'credential', (secret) => `user: me\npassword: ${secret}\n`],
  ['CSV', 'text/csv', 'credential', (secret) => `user,password\nme,${secret}\n`],
  ['multipart', 'multipart/form-data; boundary=B', 'credential', (secret) => partOf('password', secret)],
  ['a URL in JSON', JSON_TYPE, 'credential', (secret) => `{"db":"postgres://me:${secret}@db.test/shop"}`],
  ['a JWT in JSON', JSON_TYPE, 'credential', (secret) => `{"a":"${secret}"}`, `${JWT}4`],
  ['a card number', JSON_TYPE, 'credential', (secret) => `{"cardNumber":"${secret}","cvc":"123"}`, '4000056655665556'],
  ['an e-mail address', JSON_TYPE, 'personal', (secret) => `{"email":"${secret}@mail.test"}`],
  [
    'names and addresses',
    FORM_TYPE,
    'personal',
    (secret) => `first_name=${secret}&street=${secret}&birthday=${secret}`,
  ],
];

/** What the service keeps ends in the middle of the secret. */
function cutWithin(secret: string, before: string, name: string): string {
  const padding = MAX_BODY_BYTES - before.length - name.length - Math.floor(secret.length / 2);
  return before + 'x'.repeat(padding) + name + secret.repeat(10);
}

function partOf(name: string, value: string): string {
  return `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--B--\r\n`;
}

/** As instrumentations emit them. */
const SPANS: [shape: string, kind: Kind, attributes: Secretive<Attributes>, spanKind?: SpanKind, secret?: string][] = [
  ['http.url', 'credential', (secret) => ({ 'http.method': 'GET', 'http.url': `http://me:${secret}@a.test/` })],
  ['http.url alone', 'credential', (secret) => ({ 'http.url': `http://a.test/?token=${secret}` }), SpanKind.INTERNAL],
  ['http.target', 'credential', (secret) => ({ 'http.method': 'GET', 'http.target': `/a?token=${secret}` })],
  ['url.full', 'credential', (secret) => ({ 'url.full': `http://a.test/#access_token=${secret}` })],
  ['url.query', 'credential', (secret) => ({ 'url.query': `?a=1&token=${secret}` })],
  ['a header', 'credential', (secret) => ({ 'http.request.header.x_api_key': [secret] })],
  ['a header of a response', 'credential', (secret) => ({ 'http.response.header.set-cookie': [`a=${secret}`] })],
  ['metadata', 'credential', (secret) => ({ 'rpc.service': 'Cart', 'rpc.request.metadata.authorization': [secret] })],
  [
    'db.connection_string',
    'credential',
    (secret) => ({ 'db.system': 'pg', 'db.connection_string': `pg://a:${secret}@b` }),
  ],
  ['client.address', 'personal', (secret) => ({ 'client.address': secret }), SpanKind.SERVER, '203.0.113.21'],
  ['http.client_ip', 'personal', (secret) => ({ 'http.client_ip': secret }), SpanKind.SERVER, '203.0.113.22'],
  ['net.peer.ip', 'personal', (secret) => ({ 'net.peer.ip': secret }), SpanKind.SERVER, '203.0.113.23'],
  ['db.statement', 'personal', (secret) => sql('mysql', `SELECT * FROM a WHERE b = '${secret}'`)],
  ['db.query.text', 'personal', (secret) => stableSql('postgresql', `SELECT "a" FROM b WHERE c = '${secret}'`)],
  ['a statement alone', 'personal', (secret) => ({ 'db.statement': `DELETE FROM a WHERE b = '${secret}'` })],
  [
    'a number in SQL',
    'personal',
    (secret) => sql('mysql', `SELECT 1 FROM a WHERE b = ${secret}`),
    undefined,
    '78057003',
  ],
  ['double quotes in SQL', 'personal', (secret) => sql('mysql', `SELECT 1 FROM a WHERE b = "${secret}"`)],
  ['a doubled quote in SQL', 'personal', (secret) => sql('pg', `INSERT INTO a VALUES ('it''s ${secret}')`)],
  ['an escaped quote in SQL', 'personal', (secret) => sql('mysql', `INSERT INTO a VALUES ('it\\'s ${secret}')`)],
  ['a backslash before a quote', 'personal', (secret) => sql('pg', `SELECT 'C:\\', '${secret}'`)],
  ['a quote in a comment', 'personal', (secret) => sql('pg', `/* it's */ SELECT '${secret}'`)],
  ['a quote in a comment of a line', 'personal', (secret) => sql('pg', `SELECT 1 -- it's\n, '${secret}'`)],
  ['a comment in SQL', 'personal', (secret) => sql('pg', `SELECT 1 /* ${secret} */ FROM a`)],
  ['dollar quotes', 'personal', (secret) => sql('pg', `SELECT $a$it's ${secret}$a$`)],
  ['quotes of Oracle', 'personal', (secret) => sql('oracle', `SELECT q'[it's ${secret}]' FROM dual`)],
  ['SQL that was cut', 'personal', (secret) => sql('mssql', `UPDATE a SET b = N'${secret}`)],
  ['a query in JSON', 'personal', (secret) => sql('mongodb', `{"find":"a","filter":{"b":"\\"${secret}"}}`)],
  ['a command of a cache', 'personal', (secret) => sql('redis', `SET user:1 ${secret}`)],
  ['parameters', 'personal', (secret) => ({ ...stableSql('pg', 'SELECT $1'), 'db.query.parameter.0': secret })],
  ['values', 'personal', (secret) => ({ ...sql('pg', 'SELECT $1'), 'db.postgresql.values': [secret] })],
];

function sql(system: string, statement: string): Attributes {
  return { 'db.system': system, 'db.statement': statement };
}

function stableSql(system: string, text: string): Attributes {
  return { 'db.system.name': system, 'db.query.text': text };
}

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, captureException);

/** Errors that others make, and what is logged. */
const CAPTURES: [shape: string, kind: Kind, capture: (secret: string) => unknown][] = [
  ['a URL that fetch refuses', 'credential', (secret) => failureOf(fetch(`http://me:${secret}@127.0.0.1:1/`))],
  ['an address in a message', 'credential', (secret) => captureException(new Error(`no answer: pg://me:${secret}@db`))],
  ['a JWT in a message', 'credential', (secret) => captureException(new Error(`bad token ${JWT}${secret}`))],
  [
    'an object that is thrown',
    'credential',
    (secret) => captureException({ a: 1, headers: { authorization: secret } }),
  ],
  [
    'an object on the console',
    'credential',
    (secret) => console.log({ a: { password: secret }, b: [{ token: secret }] }),
  ],
  ['an address on the console', 'credential', (secret) => console.log(`connected to redis://:${secret}@db`)],
  ['the path of a file', 'personal', (secret) => failureOf(readFile(`/none/${secret}/file`))],
  ['arguments of a shell', 'personal', (secret) => failureOf(promisify(exec)(`cat --file=${secret}`))],
  ['arguments of a program', 'personal', (secret) => failureOf(promisify(execFile)('cat', [`/none/${secret}`]))],
  ['arguments of no program', 'personal', (secret) => failureOf(promisify(execFile)('/none', [secret]))],
];

for (const [name, kind, value, secret] of HEADERS) {
  const play = (own: string, { url }: Place) => request(url, { headers: { [name]: value(own) } });
  add('header', name, kind, play, secret);
}
for (const [shape, kind, target, secret] of TARGETS) {
  add('incoming target', shape, kind, (own, { url }) => request(url + target(own)), secret);
  const unique = secret && secret.slice(0, -3) + secret.slice(-3).toUpperCase();
  add('URL of fetch', shape, kind, (own, { url }) => traced(() => fetch(url + target(own))), unique);
  add(
    'URL of http.request',
    shape,
    kind,
    (own, { url }) => traced(() => request(url + target(own))),
    unique && `${unique}9`,
  );
}
for (const [shape, type, kind, body, secret] of BODIES) {
  const headers = { 'content-type': type };
  add('body', shape, kind, (own, { url }) => request(url, { method: 'POST', headers }, body(own)), secret);
}
for (const [shape, kind, attributes, spanKind = SpanKind.CLIENT, secret] of SPANS) {
  const parent = { root: true, kind: spanKind };
  add(
    'span',
    shape,
    kind,
    (own) => {
      const tracer = trace.getTracer('corpus');
      tracer.startActiveSpan('root', parent, (span) => {
        tracer.startSpan('child', { kind: spanKind, attributes: attributes(own) }).end();
        span.setAttributes(attributes(own));
        captureException(new Error('in the span'));
        span.end();
      });
    },
    secret,
  );
}
for (const [shape, kind, capture] of CAPTURES) add('capture', shape, kind, capture);
add('URL of http.request', 'user and password', 'credential', (secret, { url }) =>
  traced(() => request(url.replace('://', `://me:${secret}@`))),
);
add('URL of http.request', 'the option auth', 'credential', (secret, { url }) =>
  traced(() => request(url, { auth: `me:${secret}` })),
);
// Elsewhere there is only one address that a test can come from, and it is that of the service too.
if (process.platform === 'linux') {
  const play = (localAddress: string, { url }: Place) => request(url, { localAddress } as http.RequestOptions);
  add('connection', 'its address', 'personal', play, '127.0.0.99');
}

function traced(send: () => Promise<Answer | Response>): Promise<unknown> {
  const tracer = trace.getTracer('corpus');
  return tracer.startActiveSpan('job', { root: true }, async (span) => {
    await send();
    captureException(new Error('after the request'));
    span.end();
  });
}
