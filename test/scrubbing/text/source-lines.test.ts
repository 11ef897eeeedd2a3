import { describe, expect, it } from 'vitest';
import { credentialNames } from '../../../src/scrubbing/sensitive-names.js';
import { maskSourceLine, maskSourceLines } from '../../../src/scrubbing/text/source-lines.js';
import { growthOf } from '../../support/growth.js';
import { MORE_TOKENS, TOKENS } from '../corpus.js';
import { TOKENS_BY_ORIGIN } from '../corpus-by-origin.js';

const NAMES = credentialNames(undefined);
const mask = (line: string) => maskSourceLine(line, NAMES);

describe('of a line of source code', () => {
  it.each([
    ["password: 'SECRET',", "password: '[Filtered]',"],
    ['const apiKey = "SECRET";', 'const apiKey = "[Filtered]";'],
    ["private readonly token: string = 'SECRET';", "private readonly token: string = '[Filtered]';"],
    ["'x-api-key': `SECRET`,", "'x-api-key': `[Filtered]`,"],
    ["key = process.env.API_KEY ?? 'SECRET';", "key = process.env.API_KEY ?? '[Filtered]';"],
    ["key = process.env.API_KEY || 'SECRET';", "key = process.env.API_KEY || '[Filtered]';"],
    ["const password = isLocal ? env.PASSWORD : 'SECRET';", "const password = isLocal ? env.PASSWORD : '[Filtered]';"],
    ["const password = isLocal() ? 'SECRET' : undefined;", "const password = isLocal() ? '[Filtered]' : undefined;"],
    ["const contraseña = 'SECRET';", "const contraseña = '[Filtered]';"],
    ["if (password === 'SECRET') return;", "if (password === '[Filtered]') return;"],
    ["connect('host=db password=SECRET port=5432');", "connect('host=db password=[Filtered] port=5432');"],
    ["connect('Server=db;Password=SECRET;');", "connect('Server=db;Password=[Filtered];');"],
    [`connect(\`password=SECRET dbname=\${db}\`);`, `connect(\`password=[Filtered] dbname=\${db}\`);`],
    ["fetch('https://a.test/?access_token=SECRET');", "fetch('https://a.test/?access_token=[Filtered]');"],
    ["client.write('AUTH SECRET');", "client.write('AUTH [Filtered]');"],
    [`send("{\\"password\\":\\"SECRET\\"}");`, `send("{\\"password\\":\\"[Filtered]\\"}");`],
    [`send('{"password":"SECRET"}');`, `send('{"password":"[Filtered]"}');`],
    ["run('cli --password SECRET');", "run('cli --password [Filtered]');"],
    ["user.setPassword('SECRET');", "user.setPassword('[Filtered]');"],
    ["user.setPassword?.('SECRET');", "user.setPassword?.('[Filtered]');"],
    ["import { AuthModule2FaV3x } from './auth';", "import { AuthModule2FaV3x } from './auth';"],
    ['const pin = 4711;', 'const pin = [Filtered];'],
    ['if (otp === 553201) open();', 'if (otp === [Filtered]) open();'],
    ['const spin = 4711; const pinned = 12;', 'const spin = 4711; const pinned = 12;'],
    ["const getPassword = () => 'SECRET';", "const getPassword = () => '[Filtered]';"],
    ["switch (x.password) { case 'SECRET':", "switch (x.password) { case '[Filtered]':"],
    ["x('bob', 'SECRET'); // user, password", "x('bob', '[Filtered]'); // user, password"],
    ["const args = ['--password', 'SECRET'];", "const args = ['--password', '[Filtered]'];"],
    ["page.type('input[name=password]', 'SECRET');", "page.type('input[name=password]', '[Filtered]');"],
    ["request.setHeader('X-Api-Key', 'SECRET');", "request.setHeader('X-Api-Key', '[Filtered]');"],
    ["await page.fill('#password', 'SECRET');", "await page.fill('#password', '[Filtered]');"],
    ["createHmac('sha256', 'SECRET').update(a);", "createHmac('sha256', '[Filtered]').update(a);"],
    ["jwt.sign(payload, 'SECRET', { expiresIn: '1h' });", "jwt.sign(payload, '[Filtered]', { expiresIn: '1h' });"],
    ["jwt.sign(user.toJSON(), 'SECRET');", "jwt.sign(user.toJSON(), '[Filtered]');"],
    ["jwt.sign({ data: { id } }, 'SECRET');", "jwt.sign({ data: { id } }, '[Filtered]');"],
    ["jwt.verify(tokens[0]!, 'SECRET');", "jwt.verify(tokens[0]!, '[Filtered]');"],
    ["createHmac('sha256', '/SECRET+b9==');", "createHmac('sha256', '[Filtered]');"],
    ["createHmac('sha256', 'it\\'s SECRET');", "createHmac('sha256', '[Filtered]');"],
    ["const apiKeyServer = 'SECRET';", "const apiKeyServer = '[Filtered]';"],
    ["db = new PDO('mysql:host=db', 'root', 'SECRET');", "db = new PDO('mysql:host=db', 'root', '[Filtered]');"],
    ["await client.login('me', 'SECRET');", "await client.login('me', '[Filtered]');"],
    ["app.use(cookieParser('SECRET'));", "app.use(cookieParser('[Filtered]'));"],
    ["config.set('db.password', 'SECRET');", "config.set('db.password', '[Filtered]');"],
    ["headers['X-Api-Key'] = 'SECRET';", "headers['X-Api-Key'] = '[Filtered]';"],
    ["expect(res.body.token).toBe('SECRET');", "expect(res.body.token).toBe('[Filtered]');"],
    ["expect(password).not.toEqual('SECRET');", "expect(password).not.toEqual('[Filtered]');"],
    ["assert.strictEqual(user.apiKey, 'SECRET');", "assert.strictEqual(user.apiKey, '[Filtered]');"],
    ["cy.get('#password').type('SECRET');", "cy.get('#password').type('[Filtered]');"],
    ["secrets: ['SECRET', 'SECRET'],", "secrets: ['[Filtered]', '[Filtered]'],"],
    ["cookieSession({ keys: ['SECRET'] })", "cookieSession({ keys: ['[Filtered]'] })"],
    ["new Map([['password', 'SECRET']])", "new Map([['password', '[Filtered]']])"],
    ["vi.stubEnv('API_KEY', 'SECRET');", "vi.stubEnv('API_KEY', '[Filtered]');"],
    ["redis.call('AUTH', 'SECRET');", "redis.call('AUTH', '[Filtered]');"],
    ["password: Buffer.from('SECRET'),", "password: Buffer.from('[Filtered]'),"],
    ["password += 'SECRET';", "password += '[Filtered]';"],
    ["withPassword('SECRET')", "withPassword('[Filtered]')"],
    ["client.login('SECRET');", "client.login('[Filtered]');"],
    ["require('stripe')('SECRET');", "require('stripe')('[Filtered]');"],
    ["execFile('curl', ['-u', 'me:SECRET', url]);", "execFile('curl', ['-u', '[Filtered]', url]);"],
    ["spawn('redis-cli', ['-a', 'SECRET']);", "spawn('redis-cli', ['-a', '[Filtered]']);"],
    ['/* password: SECRET */', '/* password: [Filtered] */'],
    [' * @example password: SECRET', ' * @example password: [Filtered]'],
    ['connect(); // password: SECRET', 'connect(); // password: [Filtered]'],
    ['# api_key = SECRET', '# api_key = [Filtered]'],
    ["jwt.verify(header, 'SECRET cut by its end", "jwt.verify(header, '[Filtered]'"],
    ["password: 'SECRET cut by its end", "password: '[Filtered]"],
  ])('%s leaves without its credential', (line, expected) => {
    expect(mask(line.replaceAll('SECRET', 'x8Qz3vT6kW1'))).toBe(expected);
  });

  it.each([
    'const password = hash(input);',
    "setTheme('dark-mode-2'); setTokenType('bearer'); headers.set('accept', 'text/html');",
    "_.omit(user, 'password', 'token', 'email');",
    "createHmac('sha256', key).update('body of a request').digest('base64url');",
    "jwt.verify(token, publicKey, { algorithms: ['RS256'] });",
    'if (password === user.password) return token;',
    'const { token, secret } = await load(url);',
    `headers: { authorization: \`Bearer \${token}\` },`,
    "<input type='password' name='token'>",
    "throw new TypeError('password must be set');",
    "let token = '';",
    "max_tokens: '4096', key: 'orders',",
    "expect(errors.password).toBe('required');",
    "expect(res.body.error).toBe('Invalid password');",
    "expect(token.type).toBe('Bearer');",
    "assert.equal(auth.type, 'basic');",
    "if (token === 'refresh') {",
    "secrets: ['db', 'api'], keys: ['id', 'name'], tokens: ['foo', 'bar'],",
    "setError('password', 'Required');",
    "cy.get('#password').should('be.visible');",
    `Buffer.from(\`\${user}:\${password}\`).toString('base64')`,
    " * const hmac = createHmac('sha256', key);",
    '/** Of a microcontroller: `pin=GPIO4`. */',
    'const area = width * height; // password',
    "// don't ask for the password again",
    "const { token } = await load('https://a.test'); // see the section on tokens 2",
    '# token comes from the vault of team 2',
  ])('%s leaves as it is', (line) => {
    expect(mask(line)).toBe(line);
  });

  it.each([...TOKENS, ...MORE_TOKENS, ...TOKENS_BY_ORIGIN])('a token does not leave: %s', (_, token) => {
    expect(mask(`const value = ${JSON.stringify(token)};`)).not.toContain(token.slice(-8));
  });
});

it('a hostile line takes linear time', () => {
  for (const part of [
    'password: ',
    "jwt.sign(a, '",
    "connect('a', 'b', ",
    "'",
    "'password', ",
    "keys: ['a', ",
    'expect(a.a',
    'password = a ? ',
    'password = a ? b : ',
    'a = ((((',
    `\`\${`,
    'a:',
    '"\\',
  ]) {
    expect(growthOf(1000, (size) => part.repeat(size), mask)).toBeLessThan(20);
  }
});

/** What leaves of lines, numbered from 7. */
function maskLines(text: string): string {
  const lines = text.split('\n').map((line, index) => [index + 7, line] as const);
  return [...maskSourceLines(new Map(lines), NAMES).values()].join('\n');
}

describe('of several lines', () => {
  const KEY_LINES = [
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
    'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3S'.repeat(2),
    'kX9Zq2==',
  ];

  it.each([
    [
      'a template',
      `const key = \`-----BEGIN PRIVATE KEY-----\n${KEY_LINES.join('\n')}\n-----END PRIVATE KEY-----\`;\nuse(key);`,
    ],
    [
      'a list',
      `[\n  '-----BEGIN RSA PRIVATE KEY-----',\n${KEY_LINES.map((line) => `  '${line}',`).join('\n')}\n].join('\\n')`,
    ],
    ['a sum', `key =\n${KEY_LINES.map((line) => `  '${line}\\n' +`).join('\n')}\n  end;`],
    ['its middle', KEY_LINES.join('\n')],
  ])('a private key does not leave: %s', (_, text) => {
    const masked = maskLines(text);
    for (const line of KEY_LINES) expect(masked).not.toContain(line.slice(0, 6));
    expect(masked.split('\n')).toHaveLength(text.split('\n').length);
  });

  it.each([
    ["const apiKey =\n  'SECRET';", "const apiKey =\n  '[Filtered]';"],
    ["  clientSecret:\n    'SECRET',", "  clientSecret:\n    '[Filtered]',"],
    ["user.setPassword(\n  'SECRET',\n);", "user.setPassword(\n  '[Filtered]',\n);"],
    ["key = process.env.API_KEY ||\n  'SECRET';", "key = process.env.API_KEY ||\n  '[Filtered]';"],
    ['const token =\n  // of the vault\n  load();', 'const token =\n  // of the vault\n  load();'],
    ["const title =\n  'Password';\nconst a = 'b';", "const title =\n  'Password';\nconst a = 'b';"],
    ["log('password', user,\n  'x');", "log('password', user,\n  'x');"],
    [`import a from 'a';\nconst hash =\n  'sha512-abc';`, `import a from 'a';\nconst hash =\n  'sha512-abc';`],
  ])('%j leaves as %j', (text, expected) => {
    expect(maskLines(text.replaceAll('SECRET', 'x8Qz3vT6kW1'))).toBe(expected);
  });

  it.each([
    'import {\n  createHttp2ServerWithAuthenticationMiddleware,\n  createUser,\n} from "./x";',
    '[\n  shouldReturnHttp404WhenUserIsNotFoundInTheDatabase,\n  done,\n]',
    "[\n  'src/components/Dashboard/Widgets/Chart3D/index',\n  'src/util',\n]",
    '  convertS3ObjectMetadataToDatabaseRecordAttributesOfTheCustomer,\n  createUs3r,',
  ])('long words are not keys: %j', (text) => {
    expect(maskLines(text)).toBe(text);
  });

  it('lines that do not follow one another have nothing to do with each other', () => {
    const lines = new Map([
      [3, 'const apiKey ='],
      [9, "  'x8Qz3vT6kW1';"],
    ]);
    expect([...maskSourceLines(lines, NAMES).values()]).toEqual([...lines.values()]);
  });
});
