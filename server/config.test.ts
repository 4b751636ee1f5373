import { readFile } from 'node:fs/promises';
import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import { ConfigError, environmentSchema, readConfig } from './config.ts';

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lost.example.org',
  DATABASE_URL: 'postgres://reunite@db/reunite',
  JWT_KEYS: '{"keys":[{"kty":"EC","crv":"P-256","x":"x","y":"y","d":"d"}]}',
  REFRESH_TOKEN_SECRET: 'x'.repeat(32),
  PUBLISHABLE_KEY: `sb_publishable_${'p'.repeat(24)}`,
  SECRET_KEY: `sb_secret_${'s'.repeat(32)}`,
  SMTP_URL: 'smtp://mail.example.org',
  MAIL_FROM: 'Reunite <noreply@lost.example.org>',
};

test('a development server needs nothing', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    production: false,
    productName: 'Reunite',
    storagePrefix: 'reunite',
    publicUrl: 'http://localhost:3000',
    host: 'localhost',
    database: { kind: 'embedded' },
    developmentCode: '123456',
    smtp: null,
  });
});

test.each(['xx', 'English', 'pt'])('DEFAULT_LANGUAGE=%j, which no page is in, is refused at start', (tag) => {
  expect(() => readConfig({ DEFAULT_LANGUAGE: tag })).toThrow(/DEFAULT_LANGUAGE/);
});

test('a production server takes what it needs', () => {
  expect(readConfig(production)).toMatchObject({
    production: true,
    host: '0.0.0.0',
    developmentCode: null,
    database: { kind: 'url' },
  });
});

test('a production server without a mail server says so itself', () => {
  const { MAIL_FROM: _, ...rest } = production;
  expect(readConfig({ ...rest, SMTP_URL: 'none' })).toMatchObject({ hasMail: false, smtp: null });
  expect(readConfig(production)).toMatchObject({ hasMail: true });
  expect(readConfig({})).toMatchObject({ hasMail: true, smtp: null });
});

const required = [
  'PUBLIC_URL',
  'JWT_KEYS',
  'REFRESH_TOKEN_SECRET',
  'PUBLISHABLE_KEY',
  'SECRET_KEY',
  'SMTP_URL',
  'MAIL_FROM',
];
test.each(required)('a production server without %s says so', (name) => {
  expect(() => readConfig({ ...production, [name]: undefined })).toThrow(new RegExp(`^${name} is missing`));
  expect(() => readConfig({ ...production, [name]: '' })).toThrow(ConfigError);
  expect(() => readConfig({ ...production, [name]: ' '.repeat(40) })).toThrow(new RegExp(`^${name} is missing`));
});

test('a production server refuses the fixed code', () => {
  expect(() => readConfig({ ...production, DEV_TEST_OTP: '123456' })).toThrow(/^DEV_TEST_OTP .* refuses to start/);
});

test('an SMS provider is configured completely, and there is at most one', () => {
  const given = { SMS_COUNTRIES: 'IL,US' };
  const twilio = {
    ...given,
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+15005550006',
  };
  const webhook = { ...given, SMS_WEBHOOK_URL: 'https://sms.example.org/send', SMS_WEBHOOK_SECRET: 's'.repeat(32) };
  expect(readConfig({}).sms).toBeNull();
  expect(readConfig({ ...production, ...twilio }).sms).toMatchObject({ provider: 'twilio', from: '+15005550006' });
  expect(readConfig({ ...production, ...webhook }).sms).toMatchObject({ provider: 'webhook' });
  expect(() => readConfig({ ...twilio, TWILIO_FROM: undefined })).toThrow(/^TWILIO_FROM is missing/);
  expect(() => readConfig({ SMS_WEBHOOK_URL: webhook.SMS_WEBHOOK_URL })).toThrow(/^SMS_WEBHOOK_SECRET is missing/);
  expect(() => readConfig({ ...twilio, ...webhook })).toThrow(/two SMS providers/);
});

test('an SMS provider needs the countries that it sends to; without one development takes any number, production none [K6]', () => {
  const webhook = { SMS_WEBHOOK_URL: 'https://sms.example.org/send', SMS_WEBHOOK_SECRET: 's'.repeat(32) };
  for (const environment of [webhook, { ...production, ...webhook }]) {
    expect(() => readConfig(environment)).toThrow(/^SMS_COUNTRIES is missing/);
  }
  expect(readConfig({ ...webhook, SMS_COUNTRIES: 'IL, US' }).smsCountries).toEqual(new Set(['IL', 'US']));
  expect(readConfig({}).smsCountries).toBe('all');
  expect(readConfig(production).smsCountries).toEqual(new Set());
});

test('without DATABASE_URL a production server uses the embedded engine and needs no secrets, unless that is excluded', () => {
  const { NODE_ENV, PUBLIC_URL, SMTP_URL, MAIL_FROM } = production;
  const given = { NODE_ENV, PUBLIC_URL, SMTP_URL, MAIL_FROM };
  for (const environment of [given, { ...given, EMBEDDED_POSTGRES: 'true', DATABASE_URL: ' ' }]) {
    expect(readConfig(environment).database).toEqual({ kind: 'embedded' });
  }
  expect(() => readConfig({ ...given, EMBEDDED_POSTGRES: 'false' })).toThrow(/^DATABASE_URL is missing/);
});

function providers(...changes: object[]): string {
  const provider = {
    id: 'example',
    name: 'Example',
    issuer: 'https://accounts.example.com',
    clientId: 'reunite',
    clientSecret: 'secret',
  };
  return JSON.stringify(changes.map((change) => ({ ...provider, ...change })));
}

test('sign-in providers are read as configured', () => {
  const given = providers({ icon: '/provider.svg' }, { id: 'local', issuer: 'http://localhost:4000/oidc' });
  expect(readConfig({ OIDC_PROVIDERS: given }).oidcProviders).toEqual(JSON.parse(given));
  expect(readConfig({}).oidcProviders).toEqual([]);
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PUBLIC_URL', 'lost.example.org'],
  ['PUBLIC_URL', 'https://lost.example.org/path'],
  ['PUBLIC_URL', 'javascript:alert(1)'],
  ['HIDE_ACCOUNT_EXISTENCE', 'yes'],
  ['DEV_TEST_OTP', '12345'],
  ['DATABASE_URL', 'mysql://db'],
  ['DATABASE_URL', 'postgres://user:p#ss@db/reunite'],
  ['DATABASE_URL', 'postgres://user:password@db:99999/reunite'],
  ['DATABASE_URL', 'postgres://user:password@db1:5432,db2:5432/reunite'],
  ['DATABASE_URL', 'postgres:///reunite?host=db1,db2'],
  ['DATABASE_DIRECT_URL', 'mysql://db'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_FROM', 'Reunite <noreply@lost.example.org'],
  ['MAIL_FROM', 'Lost, Found <noreply@lost.example.org>'],
  ['MAIL_FROM', 'one@example.org, two@example.org'],
  ['EMAIL_DOMAIN_DENYLIST', 'example.org, @example.com'],
  ['EMAIL_DOMAIN_DENYLIST', '*.example.com'],
  ['EMAIL_DOMAIN_DENYLIST', 'https://example.com'],
  ['SMTP_URL', 'mail.example.org'],
  ['SMTP_URL', 'smtp://'],
  ['JWT_KEYS', '{'],
  ['JWT_KEYS', '{"keys":[]}'],
  ['JWT_KEYS', '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}'],
  ['LOG_LEVEL', 'loud'],
  ['JWT_ADDITIONAL_KEYS', 'a secret'],
  ['JWT_ADDITIONAL_KEYS', '{"keys":[{"kty":"OKP","x":"x"}]}'],
  ['TWILIO_ACCOUNT_SID', 'AC123'],
  ['TWILIO_FROM', '0501234567'],
  ['SMS_COUNTRIES', 'IL,XX'],
  ['SMS_COUNTRIES', 'Israel'],
  ['SMS_COUNTRIES', ','],
  ['SMS_WEBHOOK_URL', 'http://sms.example.org/send'],
  ['SMS_WEBHOOK_SECRET', 'short'],
  ['OIDC_PROVIDERS', 'google'],
  ['OIDC_PROVIDERS', '[{"id":"example"}]'],
  ['OIDC_PROVIDERS', providers({ id: 'email' })],
  ['OIDC_PROVIDERS', providers({ issuer: 'http://accounts.example.com' })],
  ['OIDC_PROVIDERS', providers({ icon: 'https://tracker.example.com/pixel.png' })],
  ['OIDC_PROVIDERS', providers({ scope: 'everything' })],
  ['OIDC_PROVIDERS', providers({}, {})],
])('an invalid %s (%s) is named', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must `));
});

/** The bounds of each number, as the schema has them. */
const bounds = Object.entries(environmentSchema.entries).flatMap(([name, entry]) => {
  const steps = 'wrapped' in entry && 'pipe' in entry.wrapped ? entry.wrapped.pipe : [];
  return steps.flatMap((step) =>
    step.kind === 'validation' && (step.type === 'min_value' || step.type === 'max_value')
      ? [[name, String(step.requirement)] as const]
      : [],
  );
});

test('the numbers of the configuration have bounds', () => {
  expect(bounds.length).toBeGreaterThan(30);
});

test.each(bounds)('%s may be %s, the end of its range', (name, value) => {
  expect(safeParse(environmentSchema, { [name]: value }).issues).toBeUndefined();
});

test.each([
  'noreply@lost.example.org',
  'Reunite <noreply@lost.example.org>',
  '"Lost, Found" <noreply@lost.example.org>',
  '<noreply@lost.example.org>',
])('emails are sent from %s', (sender) => {
  expect(readConfig({ ...production, MAIL_FROM: sender }).smtp?.from).toBe(sender);
});

test.each([
  'postgres://reunite:p%23ss@db:5432/reunite?sslmode=verify-full',
  'postgresql:///reunite?host=/var/run/postgresql&user=reunite',
  'postgres://reunite@[2001:db8::1]/reunite',
])('a database at %s', (url) => {
  expect(readConfig({ DATABASE_URL: url }).database).toEqual({ kind: 'url', url, pooler: null });
});

test('a pooler, and PostgreSQL itself', () => {
  const [pooler, url] = ['postgres://reunite@pooler:6432/reunite', 'postgres://reunite@db/reunite'];
  const { database } = readConfig({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: url });
  expect(database).toEqual({ kind: 'url', url, pooler });
});

test('DATABASE_DIRECT_URL without DATABASE_URL is refused', () => {
  expect(() => readConfig({ DATABASE_DIRECT_URL: 'postgres://reunite@db/reunite' })).toThrow(
    'DATABASE_DIRECT_URL needs DATABASE_URL.',
  );
});

test.each(['*', 'ntfy.lan/topic', '10.0.0.1/8', '0177.0.0.1', 'ntfy.lan:8080 10.0.0.0/8'])(
  'a further target of outbound requests that can be read in two ways is refused: %s',
  (entry) => {
    expect(() => readConfig({ OUTBOUND_ALLOWED: `ntfy.lan:8080,${entry}` })).toThrow(/^OUTBOUND_ALLOWED must be hosts/);
  },
);

test('denied domains are normalized like addresses', () => {
  expect(readConfig({ EMAIL_DOMAIN_DENYLIST: 'Example.ORG, bücher.example,' }).emailDomainDenylist).toEqual([
    'example.org',
    'xn--bcher-kva.example',
  ]);
});

test('all invalid variables are reported together', () => {
  expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT must .*\n.*LOG_LEVEL must /s);
});

test('the storage prefix has only a-z0-9, and is never empty', () => {
  expect(readConfig({ PRODUCT_NAME: 'Lost & Found 2' }).storagePrefix).toBe('lostfound2');
  expect(readConfig({ PRODUCT_NAME: 'נמצא' }).storagePrefix).toBe('reunite');
});

test('the table in the documentation names every variable, and none that is not read', async () => {
  const page = await readFile(new URL('../docs/operate/configuration.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual(Object.keys(environmentSchema.entries).toSorted());
});

test.each([
  'https://app.example.org/*',
  'https://user@app.example.org/',
  'https://app.example.org/#x',
  'javascript:alert(1)',
  'app.example.org',
  'https://app.example.org\\x',
])('an address on the list of redirects that can be read in two ways is refused: %s', (address) => {
  expect(() => readConfig({ REDIRECT_ALLOWLIST: `https://fine.example.org/, ${address}` })).toThrow(
    /^REDIRECT_ALLOWLIST must be addresses/,
  );
});

test('limits are set by name, and the others keep their defaults', () => {
  const limits = readConfig({ LIMITS: 'sign_up_per_address=50/3600, mail_gap_per_account=1/120' }).limits;
  expect(limits).toEqual(
    new Map([
      ['sign_up_per_address', { points: 50, seconds: 3_600 }],
      ['mail_gap_per_account', { points: 1, seconds: 120 }],
    ]),
  );
  expect(readConfig({}).limits.size).toBe(0);
});

test.each([
  ['sign_up_per_adress=50/3600', /^LIMITS names sign_up_per_adress, which is no limit/],
  ['toString=50/3600', /^LIMITS names toString, which is no limit/],
  ['sign_up_per_address=50/3600,sign_up_per_address=60/3600', /^LIMITS names sign_up_per_address twice/],
  ['sign_up_per_address=50', /^LIMITS must be limits such as/],
  ['sign_up_per_address=0/3600', /^LIMITS must be limits such as/],
  ['sign_up_per_address=50/9999999', /^LIMITS must be limits such as/],
  ['sign_up_per_address=-1/60', /^LIMITS must be limits such as/],
])('an invalid limit stops the start: %s', (value, message) => {
  expect(() => readConfig({ LIMITS: value })).toThrow(message);
});

test('a production server refuses test numbers, and a development server refuses malformed ones', () => {
  expect(() => readConfig({ ...production, TEST_PHONE_NUMBERS: '+15550100=123456' })).toThrow(
    /^TEST_PHONE_NUMBERS .* refuses to start/,
  );
  expect(readConfig({ TEST_PHONE_NUMBERS: '+15550100=123456' }).testPhoneNumbers).toEqual(
    new Map([['+15550100', '123456']]),
  );
  for (const wrong of ['+15550100', '15550100=123456', '+15550100=12345', '+15550100=1234567']) {
    expect(() => readConfig({ TEST_PHONE_NUMBERS: wrong })).toThrow(/^TEST_PHONE_NUMBERS/);
  }
});

test('an error names the malformed settings apart from what they contain', () => {
  expect(() => readConfig({ PORT: 'a secret', SMTP_URL: 'another' })).toThrow(
    expect.objectContaining({ names: ['PORT', 'SMTP_URL'] }),
  );
});
