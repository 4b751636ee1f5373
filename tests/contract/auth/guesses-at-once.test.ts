import { expect, test } from 'vitest';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { quickPasswords } from '#tests/support/quick-passwords.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { setUpFactor } from './support/authenticator.ts';
import { callAuth } from './support/call-auth.ts';

/** Sixty guesses at the same moment: no more are evaluated than the limit allows one after another. */
const database = await createTestDatabase();
const clock = holdTime();
/** How many passwords were compared with an account's. */
let compared = 0;
const compare = async <Result>(result: Promise<Result>): Promise<Result> => {
  compared += 1;
  return result;
};
const server = await startTestServer(database, {
  auth: {
    passwords: {
      ...quickPasswords,
      matches: (...given) => compare(quickPasswords.matches(...given)),
      findAmong: (...given) => compare(quickPasswords.findAmong(...given)),
    },
  },
  clock,
});

const SIXTY = Array.from({ length: 60 }, (_, at) => at);
const LIMITED = 'over_request_rate_limit';

/** How many of sixty concurrent calls had which outcome. */
async function outcomes(guess: (at: number) => PromiseLike<string | undefined>): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  for (const code of await Promise.all(SIXTY.map(guess))) seen[code ?? 'right'] = (seen[code ?? 'right'] ?? 0) + 1;
  return seen;
}

test('wrong recovery codes: thirty are compared [K25]', async () => {
  const owner = await registerOwner(server);
  await setUpFactor(owner.client, clock);
  const { data: codes } = await owner.client.rpc('make_recovery_codes');
  const thief = server.client();
  await thief.auth.signInWithPassword(owner);
  const use = async (code: string) => (await thief.rpc('use_recovery_code', { code_param: code })).error?.code;
  expect(await outcomes(() => use('wrong'))).toEqual({ 22023: 30, [LIMITED]: 30 });

  // A right code uses up nothing, so all ten work after 29 wrong ones.
  const device = server.client();
  clock.advance(86_400_000);
  await device.auth.signInWithPassword(owner);
  const right = async (code: string) => (await device.rpc('use_recovery_code', { code_param: code })).error?.code;
  for (let wrong = 1; wrong <= 29; wrong += 1) expect(await right('wrong')).toBe('22023');
  for (const code of codes as string[]) expect(await right(code)).toBeUndefined();
});

test('wrong codes of a second factor: thirty are compared, and sixty challenges made [K25]', async () => {
  const owner = await registerOwner(server);
  const { factorId, wrongCode } = await setUpFactor(owner.client, clock);
  const { mfa } = owner.client.auth;
  const challenges = await Promise.all(Array.from({ length: 12 }, () => mfa.challenge({ factorId })));
  const verify = async (at: number) => {
    const challengeId = challenges[at % 12]?.data?.id ?? '';
    return (await mfa.verify({ factorId, challengeId, code: wrongCode() })).error?.code;
  };
  expect(await outcomes(verify)).toEqual({ mfa_verification_failed: 30, [LIMITED]: 30 });
  // Thirteen were made before.
  expect(await outcomes(async () => (await mfa.challenge({ factorId })).error?.code)).toEqual({
    right: 47,
    [LIMITED]: 13,
  });
});

test('wrong one-time codes: ten are compared [K25]', async () => {
  const { email } = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(email);
  clock.advance(60_000);
  await callAuth(server, 'POST', '/otp', { email });
  const sent = Number(codeIn(await server.delivery.takeEmailTo(email)));
  const guess = async (at: number) => {
    const token = String((sent + at + 1) % 1_000_000).padStart(6, '0');
    return (await callAuth(server, 'POST', '/verify', { type: 'email', email, token })).body.code;
  };
  expect(await outcomes(guess)).toEqual({ otp_expired: 10, [LIMITED]: 50 });
});

test('wrong current passwords and codes for a recent proof: ten of both are compared [K25]', async () => {
  for (const [given, refusal] of [
    [{ current_password: 'wrong' }, 'current_password_invalid'],
    [{ nonce: '000000' }, 'reauthentication_not_valid'],
  ] as const) {
    const { client } = await registerOwner(server);
    const change = async () => (await client.auth.updateUser(given)).error?.code;
    expect(await outcomes(change)).toEqual({ [refusal]: 10, [LIMITED]: 50 });
  }
});

test.each(['a new device', 'a known device'])(
  'sixty passwords at once on %s: ten are compared [K25]',
  async (device) => {
    const owner = await registerOwner(server);
    const from = {
      'X-Forwarded-For': anAddress(),
      ...(device === 'a known device' && { Cookie: server.cookiesOf(owner.client) }),
    };
    const signIn = async (password: string) =>
      (await callAuth(server, 'POST', '/token?grant_type=password', { email: owner.email, password }, from)).body.code;
    compared = 0;
    expect(await outcomes((at) => signIn(`wrong ${at}`))).toEqual({ invalid_credentials: 10, [LIMITED]: 50 });
    expect(compared).toBe(10);
    expect(await signIn(owner.password)).toBe(LIMITED);
    expect(compared).toBe(10);
  },
);

test('a right password uses up no guess', async () => {
  const owner = await registerOwner(server);
  const from = { 'X-Forwarded-For': anAddress() };
  for (let time = 0; time < 12; time += 1) {
    const body = { email: owner.email, password: owner.password };
    expect((await callAuth(server, 'POST', '/token?grant_type=password', body, from)).status).toBe(200);
  }
});
