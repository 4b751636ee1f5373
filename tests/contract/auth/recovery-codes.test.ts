import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { setUpFactor } from './support/authenticator.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

async function signIn({ email, password }: RegisteredOwner) {
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

async function withCodes() {
  const owner = await registerOwner(server);
  const app = await setUpFactor(owner.client, clock);
  const { data } = await owner.client.rpc('make_recovery_codes');
  // What the function returns is a list of texts.
  return { owner, app, codes: data as string[] };
}

const use = async (client: RegisteredOwner['client'], code: string) =>
  (await client.rpc('use_recovery_code', { code_param: code })).error;
const count = async (client: RegisteredOwner['client']) => (await client.rpc('count_recovery_codes')).data;

test('each of ten codes replaces the factor once, however it is typed', async () => {
  const { owner, codes } = await withCodes();
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(await count(owner.client)).toBe(10);

  const client = await signIn(owner);
  expect((await client.from('profiles').select('id')).data).toEqual([]);
  const [first = '', second = ''] = codes;
  expect(await use(client, ` ${first.toUpperCase().replaceAll('-', ' ')}`)).toBeNull();
  const { data } = await client.auth.refreshSession();
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
  });
  expect((await client.from('profiles').select('id')).data).toHaveLength(1);
  expect(await count(client)).toBe(9);

  const again = await signIn(owner);
  const invalid = { code: '22023', message: 'This recovery code is not valid' };
  expect(await use(again, first)).toMatchObject(invalid);
  expect(await use(again, second)).toBeNull();
});

test('one code used in many sessions at once raises one of them', async () => {
  const { owner, codes } = await withCodes();
  const clients = await Promise.all(Array.from({ length: 5 }, () => signIn(owner)));
  const outcomes = await Promise.all(clients.map((client) => use(client, codes[0] ?? '')));
  expect(outcomes.filter((error) => error === null)).toHaveLength(1);
});

test('new codes replace old ones and end with the last factor; a password alone can neither make nor count them', async () => {
  const { owner, app, codes } = await withCodes();
  const { data: fresh } = await owner.client.rpc('make_recovery_codes');
  expect(fresh).not.toContain(codes[0]);
  const client = await signIn(owner);
  expect(await use(client, codes[0] ?? '')).toMatchObject({ code: '22023' });
  expect((await client.rpc('make_recovery_codes')).error).toMatchObject({ code: '42501' });
  expect((await client.rpc('count_recovery_codes')).error).toMatchObject({ code: '42501' });

  await owner.client.auth.mfa.unenroll({ factorId: app.factorId });
  expect(await database.query('select from auth.recovery_codes where user_id = $1', [owner.user.id])).toEqual([]);
  const stranger = await registerOwner(server);
  expect((await stranger.client.rpc('make_recovery_codes')).error).toMatchObject({ code: '42501' });
  expect(await use(stranger.client, fresh[0])).toMatchObject({ code: '22023' });
});

test('an account cannot use another’s codes, and thirty wrong ones a day are the limit', async () => {
  const { owner, codes } = await withCodes();
  const other = await withCodes();
  const thief = await signIn(other.owner);
  expect(await use(thief, codes[0] ?? '')).toMatchObject({ code: '22023' });
  expect(await use(server.client(), codes[0] ?? '')).toMatchObject({ code: '22023' });

  const client = await signIn(owner);
  for (let wrong = 1; wrong <= 30; wrong += 1) expect(await use(client, 'wrong')).toMatchObject({ code: '22023' });
  expect(await use(client, codes[0] ?? '')).toMatchObject({ code: 'over_request_rate_limit' });
  const [logged] = await database.query<{ times: number }>(
    "select sum(times)::int as times from auth.audit_log where event = 'recovery_code_failed' and user_id = $1",
    [owner.user.id],
  );
  expect(logged?.times).toBe(30);
});

test('the codes are stored nowhere in plain text', async () => {
  const { owner, codes } = await withCodes();
  const rows = await database.query("select encode(code_hash, 'escape') from auth.recovery_codes where user_id = $1", [
    owner.user.id,
  ]);
  const kept = JSON.stringify(rows) + server.logged.join('\n');
  for (const code of codes) {
    expect(kept).not.toContain(code);
    expect(kept).not.toContain(code.replaceAll('-', ''));
  }
});
