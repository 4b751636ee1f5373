import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { afterAll, expect, test } from 'vitest';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { runCommandLine } from '#tools/operator/run-command-line.ts';

const folder = await preparedFolder();
const service = await startServiceProcess({ dataDirectory: folder });
afterAll(() => service.end('SIGTERM'));

const { secretKey, publishableKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'));
const options = { auth: { persistSession: false, autoRefreshToken: false } };
const { admin } = createClient(service.url, secretKey, options).auth;
const PASSWORD = 'correct horse';

async function run(...words: string[]) {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommandLine(words, {
    env: { DATA_DIRECTORY: folder },
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}

async function createAccount(email: string) {
  const { data, error } = await admin.createUser({ email, password: PASSWORD, email_confirm: true });
  if (error !== null) throw error;
  const client = createClient(service.url, publishableKey, options);
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  return { client, id: data.user.id };
}

test('an account becomes an operator and is none again, and its open session follows at once [OP3]', async () => {
  const { client, id } = await createAccount('operator@example.com');
  const look = async () => (await client.rpc('look_at_service')).error?.code ?? 'seen';
  expect(await look()).toBe('42501');
  expect(await run('operators', 'add', 'operator@example.com')).toMatchObject({
    code: 0,
    stdout: `${id} is an operator. The console is at ${service.url}/operate, after a sign-in with a second factor.\n`,
  });
  expect((await run('operators', 'list')).stdout).toMatch(new RegExp(`${id}  operator@example.com  .*  no\n`));
  expect(await look()).toBe('PT403');

  const { data: factor, error } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (error !== null) throw error;
  const code = new TOTP({ secret: factor.totp.secret }).generate();
  await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
  expect(await look()).toBe('seen');
  expect(JSON.parse((await run('operators', 'list', '--json')).stdout)).toMatchObject([
    { id, has_second_factor: true },
  ]);

  expect(await run('operators', 'remove', id)).toMatchObject({ code: 0, stdout: `${id} is no longer an operator.\n` });
  expect(await look()).toBe('42501');
  expect(await run('operators', 'remove', id)).toMatchObject({ code: 1, stderr: `${id} is no operator.\n` });
  expect(await run('operators', 'add')).toMatchObject({ code: 2 });
  expect(await run('operators', 'add', 'nobody@example.com')).toMatchObject({ code: 1 });
});

test('the service is shown with what only its program knows, and without a secret', async () => {
  const { stdout } = await run('service', 'show', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    database: { version: expect.stringMatching(/^18/) },
    disk: { free: expect.any(Number), reserve: expect.any(Number) },
    store: { kind: 'folder', works: true },
    mail: { kind: 'outbox', works: true },
    backup: null,
  });
  for (const secret of [secretKey, publishableKey, folder, 'operator@example.com'])
    expect(stdout).not.toContain(secret);
  expect((await run('service', 'show')).stdout).toMatch(/^disk\.free +\d+$/m);
  expect((await run('service', 'returns')).stdout).toMatch(/^tagged +\[\d+,\d+\]$/m);
  expect(await run('service', 'deliveries')).toMatchObject({ code: 0, stdout: 'Nothing has failed.\n' });
  expect(await run('service', 'restart')).toMatchObject({ code: 2 });
});

test('an account is signed out everywhere, and sent a sign-in link', async () => {
  const { client, id } = await createAccount('concerned@example.com');
  expect(await run('users', 'sign-out', 'concerned@example.com')).toMatchObject({
    code: 0,
    stdout: `Signed out ${id}.\n`,
  });
  await expect.poll(async () => (await client.auth.getUser()).data.user).toBeNull();
  expect(await run('users', 'send-link', id)).toMatchObject({ code: 0, stdout: `Sent a sign-in link to ${id}.\n` });
  const outbox = await (await fetch(`${service.url}/dev/outbox.json`)).json();
  expect(outbox).toContainEqual(
    expect.objectContaining({ recipient: 'concerned@example.com', body: expect.stringContaining('magiclink') }),
  );
});

test('a desk is added, listed with whether it is open, changed, and removed', async () => {
  const values = ['--name', 'Central station', '--place', 'Hall 2', '--zone', 'UTC', '--phone', '+49 30 1234567'];
  const added = await run('desks', 'add', ...values, '--hours', 'mon-sun 0-24', '--languages', 'de, en', '--json');
  expect(added).toMatchObject({ code: 0 });
  const { saved } = JSON.parse(added.stdout);
  expect((await run('desks', 'list')).stdout).toMatch(/Central station +Hall 2 +\+49 30 1234567 +open/);
  const closed = ['--hours', 'mon 9-18', '--other-days', '2026-12-25'];
  expect(await run('desks', 'change', saved, ...values, ...closed)).toMatchObject({ code: 0 });
  expect(JSON.parse((await run('desks', 'list', '--json')).stdout)).toMatchObject([
    {
      id: saved,
      languages: [],
      days: { '2026-12-25': [] },
      week: [[['09:00', '18:00']], [], [], [], [], [], []],
    },
  ]);
  expect(await run('desks', 'remove', saved)).toMatchObject({ code: 0 });
  expect(await run('desks', 'remove', saved)).toMatchObject({ code: 1, stderr: `No desk has the id ${saved}.\n` });
  expect((await run('desks', 'list')).stdout).toMatch(/no desks/);
  for (const wrong of [
    ['--hours', 'always'],
    ['--hours', 'mon 9-18', '--zone', 'Nowhere'],
  ])
    expect(await run('desks', 'add', ...values, ...wrong)).toMatchObject({ code: 2 });
});

test('a link invites a new address, and lets an account choose a password for a reason', async () => {
  const invited = await run('users', 'make-link', 'invited@example.com');
  expect(invited).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^http\S+#token_hash=[\w-]{64}&type=invite\n$/),
  });
  await createAccount('forgetful@example.com');
  expect(await run('users', 'make-link', 'forgetful@example.com')).toMatchObject({ code: 1 });
  const made = await run('users', 'make-link', 'forgetful@example.com', '--reason', 'They forgot it', '--json');
  expect(JSON.parse(made.stdout)).toMatchObject({
    kind: 'recovery',
    link: expect.stringContaining('/auth?reset=true#'),
  });
});
