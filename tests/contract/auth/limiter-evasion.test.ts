import { expect, test } from 'vitest';
import { figuresOf } from '#server/limits/limits.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const open = await startTestServer(database, { environment: { TRUSTED_PROXIES: '0' } });
const behindProxy = await startTestServer(database, { secrets: open.secrets });

const VERIFY = '/auth/v1/verify';

/** Sends one guess at a code, with only the given headers. */
async function guess(server: TestServer, headers: Readonly<Record<string, string>> = {}, path = VERIFY) {
  const response = await server.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: server.secrets.publishableKey, ...headers },
    body: JSON.stringify({ type: 'signup', email: anEmail(), token: '000000' }),
  });
  return { status: response.status, text: await response.text() };
}

/** Headers with which a client pretends to be another one, with a new value each time. */
const SPOOFS = [
  'X-Forwarded-For',
  'X-Real-IP',
  'Forwarded',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
].flatMap((name) =>
  ['198.51.100.7', '2001:db8:7::1', '127.0.0.1', '', 'unknown', '198.51.100.8, 198.51.100.9'].map(
    (value) => [name, name === 'Forwarded' ? `for=${value}` : value] as const,
  ),
);

/** The same endpoint, as some programs read it. */
const SPELLINGS = [
  '//auth//v1/verify',
  '//auth/v1/verify',
  '/auth/v1//verify',
  '/auth/v1/verify/',
  '/auth/v1/verify//',
  '/auth/v1/VERIFY',
  '/AUTH/V1/verify',
  '/auth/v1/%76erify',
  '/auth%2fv1%2fverify',
  '/auth/v1/%2e/verify',
  '/auth/v1/./verify',
  '/auth/v1/x/%2e%2e/verify',
  '/auth/v1/x/../verify',
  '/auth/v1/verify;x',
  '/auth/v1/verify;x=1/',
  '/auth/v1/verify%20',
  '/auth/v1/verify%2f',
  '/auth/v1/verify.json',
  '/auth/v1/verify?x=1',
  '/auth/v1/verify#x',
  '/rest/v1/../../auth/v1/verify',
  '\\auth\\v1\\verify',
];

test('no header and no spelling of the path allows a guess beyond the limit [A10] [G50]', async () => {
  const { points } = figuresOf('auth_requests_per_address', false);
  const first = await Promise.all(Array.from({ length: points }, () => guess(open)));
  expect(first.filter(({ status }) => status === 403)).toHaveLength(points);
  expect((await guess(open)).status).toBe(429);

  for (const [name, value] of SPOOFS) {
    expect((await guess(open, { [name]: value })).status, `${name}: ${value}`).toBe(429);
  }
  for (const path of SPELLINGS) {
    const { status, text } = await guess(open, {}, path);
    expect([400, 404, 405, 429], path).toContain(status);
    expect(text, path).not.toContain('otp_expired');
  }
});

test('behind a trusted proxy the count continues when its header is missing [A10]', async () => {
  const drop = () =>
    fetch(behindProxy.url + VERIFY, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', apikey: behindProxy.secrets.publishableKey },
      body: JSON.stringify({ type: 'signup', email: anEmail(), token: '000000' }),
    });
  // The guesses of the previous test came from the same socket address.
  await guess(open);
  expect((await drop()).status).toBe(429);
  expect((await guess(behindProxy)).status, 'an address that the proxy names').toBe(403);
});
