import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { emptyDatabase, makeBackup, runBackup, withClient } from './run-backup.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const owner = await registerOwner(server);
const deleted = await registerOwner(server);
const banned = await registerOwner(server);
const changed = await registerOwner(server);
const codes = [createTagCode(), createTagCode()];
for (const qr_id of codes) await owner.client.from('items').insert({ qr_id, item_type: 'keys', item_name: 'Keys' });
await owner.client.from('profiles').update({ call_enabled: true, whatsapp_enabled: true }).eq('id', owner.user.id);
await deleted.client.from('items').insert({ qr_id: createTagCode(), item_type: 'bag', item_name: 'Bag' });
await database.query('insert into public.second_contacts (owner_id, email, agreed_at) values ($1, $2, now())', [
  owner.user.id,
  'friend@example.com',
]);
const elsewhere = server.client();
await elsewhere.auth.signInWithPassword(owner);
// What was over before the backup is not named.
await server.client({ key: server.secrets.secretKey }).auth.admin.deleteUser((await registerOwner(server)).user.id);

const here = { address: database.address, folder: await temporaryFolder() };
const folder = await temporaryFolder();
const file = await makeBackup(here, folder);

const admin = server.client({ key: server.secrets.secretKey });
expect((await deleted.client.rpc('delete_my_account')).error).toBeNull();
expect((await admin.auth.admin.updateUserById(banned.user.id, { ban_duration: '24h' })).error).toBeNull();
expect((await admin.auth.admin.updateUserById(changed.user.id, { password: 'another horse' })).error).toBeNull();
await owner.client.auth.signOut({ scope: 'others' });
await owner.client.from('second_contacts').delete().eq('owner_id', owner.user.id);
await owner.client.from('profiles').update({ call_enabled: false, whatsapp_enabled: false }).eq('id', owner.user.id);
await owner.client.from('profiles').update({ whatsapp_enabled: true }).eq('id', owner.user.id);
for (const code of codes)
  await admin.rpc('void_code', { qr_id_param: code, reason_param: 'Stolen', claimed_too: true });
await admin.rpc('restore_code', { qr_id_param: codes[1] });
await database.query("insert into internal.stopped_recipients (recipient) values ('\\x01')");
await server.stop();

const NAMED = [
  '1 accounts deleted',
  '1 accounts banned',
  '1 old passwords',
  '3 sessions ended',
  '1 second contacts removed',
  '1 recipients who stopped all emails',
  '1 calls turned off',
  '1 codes voided',
];

/** What is there again, as far as this test ended it. */
const stateOf = (address: typeof database.address) =>
  withClient(address, async (client) => {
    const one = async (sql: string, ...values: unknown[]) => (await client.query(sql, values)).rows[0];
    return {
      ...(await one(
        `select (select count(*)::int from auth.users where id = $2) as deleted,
          (select count(*)::int from public.items where user_id = $2) as items_of_deleted,
          (select banned_until > now() from auth.users where id = $3) as is_banned,
          (select encrypted_password is null from auth.users where id = $4) as has_no_password,
          (select count(*)::int from auth.sessions where user_id = $1) as sessions,
          (select count(*)::int from public.second_contacts) as contacts,
          (select count(*)::int from internal.stopped_recipients) as stopped`,
        owner.user.id,
        deleted.user.id,
        banned.user.id,
        changed.user.id,
      )),
      methods: await one('select call_enabled, whatsapp_enabled from public.profiles where id = $1', owner.user.id),
      voided: await one('select array_agg(qr_id) as codes from public.qr_codes where voided_at is not null'),
      jobs: await one(
        "select count(*)::int as sent from graphile_worker.jobs where task_identifier <> 'remove_files' and run_at <= now()",
      ),
    };
  });

const ENDED = {
  deleted: 0,
  items_of_deleted: 0,
  is_banned: true,
  has_no_password: true,
  sessions: 1,
  contacts: 0,
  stopped: 1,
  methods: { call_enabled: false, whatsapp_enabled: true },
  voided: { codes: [codes[0]] },
  jobs: { sent: 0 },
};

test('without a record, a restore says that what ended has come back and nothing says what [K98]', async () => {
  const target = { address: await emptyDatabase(), folder: await temporaryFolder() };
  const alone = join(await temporaryFolder(), 'alone.tar');
  await writeFile(alone, await readFile(file));
  const ran = await runBackup(target, 'restore', alone);
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('no record says which') });
});

test('a restore names what ended after the backup, and a command ends it again without a message [K98]', async () => {
  expect(await runBackup(here, 'endings', '--folder', folder)).toMatchObject({ code: 0, stderr: '' });
  const target = { address: await emptyDatabase(), folder: await temporaryFolder() };
  const ran = await runBackup(target, 'restore', file);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  for (const line of NAMED) expect(ran.stdout).toContain(`  ${line}`);
  expect(ran.stdout).not.toMatch(/WhatsApp turned off|[2-9] (accounts|codes)/);
  expect(await stateOf(target.address)).toMatchObject({ deleted: 1, items_of_deleted: 1, sessions: 2, contacts: 1 });

  // The restored service keeps its own record there, and that of before stays.
  expect(await runBackup(target, 'endings', '--folder', folder)).toMatchObject({ code: 0 });
  const again = await runBackup(target, 'end-again', '--folder', folder);
  expect(again, again.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Ended again:/) });
  for (const line of NAMED) expect(again.stdout).toContain(`  ${line}`);
  expect(await stateOf(target.address)).toEqual(ENDED);

  // What began again since is not ended by another run.
  await withClient(target.address, (client) =>
    client.query('update public.profiles set call_enabled = true where id = $1', [owner.user.id]),
  );
  expect((await runBackup(target, 'end-again', '--folder', folder)).stdout).toMatch(/^Nothing that ended/);
  expect(await stateOf(target.address)).toMatchObject({ methods: { call_enabled: true } });
});

test('a restore ends it at once where asked, and refuses a damaged record before it changes anything [K98]', async () => {
  const target = { address: await emptyDatabase(), folder: await temporaryFolder() };
  const [name = ''] = (await readdir(folder)).filter((name) => name.startsWith('reunite-endings-'));
  const record = await readFile(join(folder, name), 'utf8');
  // Ids and times, and nothing of anybody.
  expect(record).not.toMatch(/@|Keys|Bag/);
  await writeFile(join(folder, name), record.slice(10));
  expect(await runBackup(target, 'restore', file, '--end-again')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('is damaged'),
  });
  await writeFile(join(folder, name), record);
  const ran = await runBackup(target, 'restore', file, '--end-again');
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Ended again:') });
  expect(await stateOf(target.address)).toEqual(ENDED);
  await rm(join(folder, name));
});
