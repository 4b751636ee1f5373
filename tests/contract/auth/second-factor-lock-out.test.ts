import { expect, test } from 'vitest';
import { withCodes } from '#tests/support/delivery-catcher.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { type Authenticator, setUpFactor } from './support/authenticator.ts';
import { callAuth } from './support/call-auth.ts';

/** An attacker who knows only the password does not get the allowances of a known device, and cannot lock one out. */
const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

type Client = RegisteredOwner['client'];

const HOUR = 3_600_000;

async function withFactor() {
  const owner = await registerOwner(server);
  const app = await setUpFactor(owner.client, clock);
  const { data } = await owner.client.rpc('make_recovery_codes');
  // What the function returns is a list of texts.
  return { ...owner, app, codes: data as string[] };
}

async function signIn({ email, password }: Pick<RegisteredOwner, 'email' | 'password'>, client = server.client()) {
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

async function guessAt(client: Client, { factorId, wrongCode }: Authenticator, times: number): Promise<void> {
  for (let left = times; left > 0; ) {
    const challenge = await client.auth.mfa.challenge({ factorId });
    if (challenge.error) throw challenge.error;
    for (let tries = Math.min(5, left); tries > 0; tries -= 1, left -= 1) {
      await client.auth.mfa.verify({ factorId, challengeId: challenge.data.id, code: wrongCode() });
    }
  }
}

const show = (client: Client, { factorId, code }: Authenticator) =>
  client.auth.mfa.challengeAndVerify({ factorId, code: code() });
const recover = (client: Client, code = '') => client.rpc('use_recovery_code', { code_param: code });

/** Signs in with the cookies of a browser, after others have used up all that strangers may guess at the password. */
async function signInBesieged({ email, password }: Pick<RegisteredOwner, 'email' | 'password'>, browsers: Client[]) {
  for (let network = 0; network < 11; network += 1) {
    const from = { 'X-Forwarded-For': anAddress() };
    const guesses = Array.from({ length: 10 }, (_, at) => ({ email, password: `guess ${network} ${at}` }));
    await Promise.all(guesses.map((guess) => callAuth(server, 'POST', '/token?grant_type=password', guess, from)));
  }
  const statuses: number[] = [];
  for (const browser of browsers) {
    const cookie = { Cookie: server.cookiesOf(browser) };
    statuses.push((await callAuth(server, 'POST', '/token?grant_type=password', { email, password }, cookie)).status);
  }
  return statuses;
}

test('thirty wrong second factors by a thief of the password do not delay a device that has shown the factor [K4]', async () => {
  const owner = await withFactor();
  const thief = await signIn(owner);
  await guessAt(thief, owner.app, 30);
  expect((await show(thief, owner.app)).error).toMatchObject({ code: 'over_request_rate_limit' });
  expect((await show(await signIn(owner), owner.app)).error?.code, 'a new device').toBe('over_request_rate_limit');

  const here = await signIn(owner, owner.client);
  expect((await show(here, owner.app)).error).toBeNull();

  // The device has as many guesses of its own, and no more.
  const again = await signIn(owner, owner.client);
  await guessAt(again, owner.app, 30);
  clock.advance(60_000);
  expect((await show(again, owner.app)).error).toMatchObject({ code: 'over_request_rate_limit' });
});

test('sixty challenges by a thief of the password do not delay a known device [K4]', async () => {
  const owner = await withFactor();
  const thief = await signIn(owner);
  const { factorId } = owner.app;
  for (let asked = 0; asked < 60; asked += 1) await thief.auth.mfa.challenge({ factorId });
  expect((await thief.auth.mfa.challenge({ factorId })).error).toMatchObject({ code: 'over_request_rate_limit' });
  expect((await show(await signIn(owner, owner.client), owner.app)).error).toBeNull();
  clock.advance(HOUR);
});

test('thirty wrong recovery codes by a thief of the password do not delay a known device [K4]', async () => {
  const owner = await withFactor();
  const thief = await signIn(owner);
  for (let wrong = 0; wrong < 30; wrong += 1) await recover(thief, 'wrong');
  expect((await recover(thief, owner.codes[0])).error).toMatchObject({ code: 'over_request_rate_limit' });
  const here = await signIn(owner, owner.client);
  expect((await recover(here, owner.codes[0])).error).toBeNull();
});

test('a device that showed only the password is not known, neither before nor after the factor was set up [K4]', async () => {
  const owner = await registerOwner(server);
  const early = await signIn(owner);
  const app = await setUpFactor(owner.client, clock);
  const late = await signIn(owner);
  expect(await signInBesieged(owner, [early, late, owner.client])).toEqual([429, 429, 200]);

  // Without the factor the password is all that there is to show.
  await owner.client.auth.mfa.unenroll({ factorId: app.factorId });
  expect(await signInBesieged(owner, [early])).toEqual([200]);
});

test('a device that has shown a recovery code is known', async () => {
  const owner = await withFactor();
  const device = await signIn(owner);
  expect((await recover(device, owner.codes[0])).error).toBeNull();
  expect(await signInBesieged(owner, [device])).toEqual([200]);
});

test('a sign-in by password alone is announced to the owner once for each device, not each time', async () => {
  const owner = await withFactor();
  const thief = await signIn(owner);
  await signIn(owner, thief);
  const rows = await database.query<{ device_is_new: boolean }>(
    "select device_is_new from auth.sessions where user_id = $1 and aal = 'aal1' order by created_at, device_is_new desc",
    [owner.user.id],
  );
  expect(rows.map((row) => row.device_is_new)).toEqual([true, false]);
});

test('a phone as second factor is sent 30 codes a day by known devices, however many these are, and 20 by others [K49]', async () => {
  const [owner, other] = [await registerOwner(server), await registerOwner(server)];
  const factorOf = async ({ client, phone }: RegisteredOwner) => {
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'phone', phone });
    if (error) throw error;
    return { factorId: data.id, phone };
  };
  const showPhone = async (client: Client, { factorId, phone }: { factorId: string; phone: string }) => {
    const { data, error } = await client.auth.mfa.challenge({ factorId });
    if (error) return error;
    const code = server.delivery.codeFor(phone);
    return (await client.auth.mfa.verify({ factorId, challengeId: data.id, code })).error;
  };
  const [factor, others] = [await factorOf(owner), await factorOf(other)];
  expect(await showPhone(owner.client, factor)).toBeNull();
  expect(await showPhone(other.client, others)).toBeNull();
  const sent = () => withCodes(server.delivery.texts).filter(({ to }) => to === owner.phone).length;
  const refused = { code: 'over_request_rate_limit' };

  const devices: Client[] = [];
  for (let device = 0; device < 4; device += 1) {
    const client = await signIn(owner);
    expect(await showPhone(client, factor)).toBeNull();
    devices.push(client);
  }
  const before = sent();
  const { factorId } = factor;
  for (let asked = 0; asked < 40; asked += 1) await devices[asked % 4]?.auth.mfa.challenge({ factorId });
  expect(sent() - before).toBe(30);
  expect(await showPhone(await signIn(owner, devices[0]), factor)).toMatchObject(refused);

  const thief = await signIn(owner);
  for (let asked = 0; asked < 20; asked += 1) await thief.auth.mfa.challenge({ factorId });
  expect(sent() - before, '16 are left of the 20 of unknown devices').toBe(46);
  expect(await showPhone(await signIn(other, other.client), others), 'the phone of another owner').toBeNull();
});

test('a sign-in code by SMS counts for the number as well, on whichever known device it is asked for [K49]', async () => {
  const owner = await registerOwner(server);
  const sent = () => withCodes(server.delivery.texts).filter(({ to }) => to === owner.phone).length;
  const before = sent();
  for (let device = 0; device < 4; device += 1) {
    const client = await signIn(owner);
    for (let asked = 0; asked < 10; asked += 1) {
      clock.advance(60_000);
      await client.auth.signInWithOtp({ phone: owner.phone });
    }
  }
  expect(sent() - before).toBe(30);
});
