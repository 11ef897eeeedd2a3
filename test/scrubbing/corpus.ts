/**
 * Shapes in which credentials appear, and shapes that only look like it. It says what the SDK filters, and is checked in
 * `corpus.test.ts`. Tokens are made up, and put together from parts so that scanners of repositories do not find them.
 */

const list = (names: string): string[] => names.trim().split(/\s+/);

/** Names of fields, parameters, headers and variables. */
export const SECRET_NAMES = list(`
  password Password passwd user_password newPassword db_passwd user[password] data[user][sid] passphrase passcode pwd
  db.pass smtp_pass userPass secret client_secret clientSecret appSecret secret_key secretAccessKey token access_token
  accessToken refresh_token id_token csrf_token authToken device_token session_tokens accessTokens apiKey api_key api-key
  x-api-key private_key privateKey encryption_key signing_key account_key AccountKey SharedAccessKey master_key
  subscription-key storageKey auth authorization Authorisation proxy-authorization oauth authentication credentials
  awsCredential jwt bearer csrf _csrf xsrf SAMLResponse client_assertion session_id sessionId PHPSESSID sessid JSESSIONID
  signature X-Amz-Signature x-hub-signature-256 card_number cardNumber card-no security_code x-security-code cvv cvc cvv2
  ssn social_security iban pin x-pin userPin otp x-otp otpCode totp mfa_code recovery_code sid sig cookie cookies
  set-cookie ok-access-passphrase x-passcode x-auth-token x-amz-security-token x-functions-key
  x-vault-token x-shopify-access-token x-gitlab-token webhook_secret hmac_key dbPassword mysql_pwd sshKey
  encryptedPassword password_confirmation oldPassword bearerToken user_auth saml_response card_cvc admin.pin
`);

export const HARMLESS_NAMES = list(`
  max_tokens total_tokens maxTokens prompt_tokens completion_tokens tokens tokenizer tokenized tokenization tokenCount
  token_type token_limit key keys keyword monkey primary_key foreignKey public_key idempotency-key sort-key author authors
  author_id authority authenticated isAuthenticated is_authorized session sessions session_count secretary secretariat
  compass compassion spinner pinned shipping inside sidebar designation signal email_verified emailVerified page sort name
  limit version status region via host accept content-type user-agent x-request-id x-forwarded-proto x-forwarded-port
  x-forwarded-host traceparent etag if-none-match cache-control
  tokens_used cached_tokens input_tokens output_tokens keyboard keynote turkey hockey bypass_count authoring
  coauthor authorship sidecar outside pinterest monkeypatch tokenizer_config assertive sessionCount reseller
`);

const HEX = '0123456789abcdef';
const MIXED = 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z';

/** Tokens of well-known services, by their looks. */
export const TOKENS: readonly (readonly [service: string, token: string])[] = [
  ['JWT', `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJzdWIiOiJsZWFrIn0.c2lnbmF0dXJl`],
  ['Bearer', `Bearer ${MIXED}`],
  ['Basic', `Basic ${'dXNlcjpwYXNzd29yZA=='}`],
  ['private key', `-----BEGIN ${'RSA PRIVATE KEY'}-----\nMIIabc\n-----END RSA PRIVATE KEY-----`],
  ['age', `AGE-SECRET-KEY-1${MIXED.toUpperCase()}`],
  ['AWS', `AKIA${'IOSFODNN7EXAMPLE'}`],
  ['AWS, temporary', `ASIA${'IOSFODNN7EXAMPLE'}`],
  ['Google API', `AIza${MIXED}abc`],
  ['Google OAuth', `ya29.${MIXED}`],
  ['Google client', `GOCSPX-${MIXED}`],
  ['Google refresh', `1//0${MIXED}`],
  ['Azure storage', `AccountKey=${MIXED}==`],
  ['Azure bus', `SharedAccessKey=${MIXED}=`],
  ['DigitalOcean', `dop_v1_${HEX.repeat(4)}`],
  ['Heroku', `HRKU-${MIXED}`],
  ['Vault', `hvs.${MIXED}`],
  ['Doppler', `dp.pt.${MIXED}`],
  ['Tailscale', `tskey-auth-${MIXED}`],
  ['PlanetScale', `pscale_tkn_${MIXED}`],
  ['Databricks', `dapi${HEX.repeat(2)}`],
  ['Supabase', `sbp_${HEX.repeat(2)}`],
  ['GitHub', `ghp_${MIXED}`],
  ['GitHub, installation', `ghs_${MIXED}`],
  ['GitHub, fine-grained', `github_pat_${MIXED}`],
  ['GitLab', `glpat-${MIXED}`],
  ['GitLab runner', `glrt-${MIXED}`],
  ['npm', `npm_${MIXED}abcd`],
  ['PyPI', `pypi-${MIXED}`],
  ['RubyGems', `rubygems_${HEX.repeat(3)}`],
  ['Docker', `dckr_pat_${MIXED}`],
  ['Atlassian', `ATATT3${MIXED}`],
  ['Stripe', `sk_live_${MIXED}`],
  ['Stripe, restricted', `rk_test_${MIXED}`],
  ['Stripe webhook', `whsec_${MIXED}`],
  ['Square', `sq0atp-${MIXED}`],
  ['Shopify', `shpat_${HEX.repeat(2)}`],
  ['Slack bot', `xoxb-${'123456789012'}-abcdef`],
  ['Slack app', `xapp-1-${'A0123'}-456-abcdef`],
  ['Slack webhook', `https://hooks.slack.com/services/T0000/B0000/${MIXED}`],
  ['Discord webhook', `https://discord.com/api/webhooks/1234/${MIXED}`],
  ['Telegram', `123456789:AA${MIXED}x`],
  ['SendGrid', `SG.${MIXED}.${MIXED}`],
  ['Mailgun', `key-${HEX.repeat(2)}`],
  ['Twilio', `SK${HEX.repeat(2)}`],
  ['OpenAI', `sk-proj-${MIXED}`],
  ['OpenAI, old', `sk-${MIXED}`],
  ['Anthropic', `sk-ant-api03-${MIXED}`],
  ['Hugging Face', `hf_${MIXED}`],
  ['Groq', `gsk_${MIXED}`],
  ['Replicate', `r8_${MIXED}`],
  ['Linear', `lin_api_${MIXED}`],
  ['Notion', `ntn_${MIXED}${MIXED}`],
  ['Figma', `figd_${MIXED}`],
  ['Airtable', `pat${'AbCdEfGhIjKlMn'}.${HEX.repeat(4)}`],
  ['New Relic', `NRAK-${MIXED.toUpperCase()}`],
  ['Grafana', `glsa_${MIXED}`],
  ['Postman', `PMAK-${HEX}${HEX}-${HEX}${HEX}`],
  ['Sentry', `sntrys_${MIXED}`],
  ['Visa', '4111 1111 1111 1111'],
  ['Mastercard', '5555-5555-5555-4444'],
  ['American Express', '378282246310005'],
  ['Discover', '6011111111111117'],
];

/** Text of errors and logs. `SECRET` must not leave. */
export const SECRET_TEXTS = [
  'Server=db;Database=shop;User Id=me;Password=SECRET;',
  'host=db user=me password=SECRET port=5432',
  "host=db password='SECRET' port=5432",
  'jdbc:mysql://db/shop?user=me&password=SECRET',
  'postgres://me:SECRET@db:5432/shop refused',
  'redis://:SECRET@cache',
  'GET https://api.test/v1?access_token=SECRET failed with 401',
  'https://api.test/#id_token=SECRET&x=1',
  '{"password":"SECRET","a":1}',
  '{"a":{"client_secret":"SECRET"}}',
  '{"pin":4711,"token":"SECRET"}',
  '{"a":"{\\"password\\":\\"SECRET\\"}"}',
  '{"password":"a\\"SECRET"}',
  "{ password: 'SECRET' }",
  "{ password: 'it\\'s SECRET' }",
  '{ apiKey: `SECRET` }',
  "Map(1) { 'password' => 'SECRET' }",
  "URLSearchParams { 'token' => 'SECRET' }",
  "[ [ 'password', 'SECRET' ] ]",
  '[["password","SECRET"]]',
  "{ name: 'password', value: 'SECRET' }",
  '{"name":"password","value":"SECRET"}',
  "{ key: 'api_key', value: 'SECRET' }",
  "[ '--password', 'SECRET' ]",
  '["--api-key","SECRET"]',
  'cli --password SECRET --verbose',
  'cli --db-password=SECRET',
  "cli --token 'SECRET'",
  'AUTH SECRET',
  'AUTH default SECRET',
  "CREATE USER me IDENTIFIED BY 'SECRET'",
  "ALTER USER me IDENTIFIED WITH caching_sha2_password BY 'SECRET'",
  "CREATE ROLE me LOGIN PASSWORD 'SECRET'",
  '┌─────────┬────────────┐\n│ (index) │ password   │\n├─────────┼────────────┤\n│ 0       │ SECRET     │\n└─────────┴────────────┘',
  "search: '?token=SECRET', searchParams: URLSearchParams { 'token' => 'SECRET' }",
  'DB_PASSWORD=SECRET',
  'export DB_ACCESS_KEY=SECRET',
  "headers: { 'x-api-key': 'SECRET', accept: '*/*' }",
  "<Buffer> cookie='SECRET'",
  'secret = "SECRET"',
];

/** Text that stays as it is. */
export const HARMLESS_TEXTS = [
  'Unexpected token } in JSON at position 3',
  'Unexpected token: x',
  'password authentication failed for user "me"',
  'Invalid password',
  'the password must have 8 characters',
  'max_tokens: 5, total_tokens=7',
  '{"usage":{"prompt_tokens":12,"total_tokens":40}}',
  'authority=5, authenticated: true',
  "{ author: 'me', secretary: 'you' }",
  'ERR AUTH failed',
  'AUTH command not allowed',
  'order 1732245678901 of 2024-11-22',
  '4111 1111 1111 1112 is no card',
  '0000000000000000',
  'id 7f0c1d2e3f4a5b6c7d8e9f00112233445566',
  'trace 0af7651916cd43dd8448eb211c80319c',
  'uuid 123e4567-e89b-12d3-a456-426614174000',
  'sk-learn and sk-image',
  'basic auth is off',
  'Basic realm',
  'bearer of news',
  'eyJ is how they begin',
  'http://localhost:3000/@scope/a',
  'me@a.test wrote to https://a.test',
  'key: value, sort=name',
  'session=3 of 7',
  'npm_config_registry',
  'primary key (id)',
  'foreign_key=users.id',
  'Cannot read properties of undefined (reading "token")',
];
