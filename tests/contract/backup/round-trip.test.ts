import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { fillTables } from '#tests/contract/support/fill-tables.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { smallDisk } from '#tests/support/small-disk.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { emptyDatabase, makeBackup, runBackup, sumsOf, withClient } from './run-backup.ts';

const small = await smallDisk(1);
const database = await createTestDatabase();
const folder = await temporaryFolder();
const server = await startTestServer(database, { dataDirectory: folder });
await fillTables(database, 20);
await database.query(`delete from storage.objects`);
const owner = await registerOwner(server, { phone: '' });
const another = await registerOwner(server, { phone: '' });
const item = { qr_id: createTagCode(), user_id: owner.user.id, item_type: 'keys', item_name: 'Keys' };
expect((await owner.client.from('items').insert(item)).error).toBeNull();
const key = { qr_id_param: item.qr_id, finder_key_param: 'the-key-of-the-finder-in-this-file' };
expect((await server.client().rpc('send_message', { ...key, body_param: 'I \\found\n it\t🔑' })).error).toBeNull();
const operator = server.client({ key: server.secrets.secretKey }).storage;
await operator.createBucket('papers', { public: true });
const large = Buffer.alloc(9 * 1024 * 1024, 'reunite ');
await operator.from('papers').upload('large', large);
await operator.from('papers').upload('empty', '');
// So that its jobs stay as they are.
await server.stop();
const here = { address: database.address, folder };
const file = await makeBackup(here);

/** Owners, rights, row-level security, policies, triggers, and constraints of all that is ours. */
const rightsOf = (address: PostgresAddress) =>
  withClient(address, async (client) => {
    const { rows } = await client.query(`
      select relname as name, concat_ws(' ', relowner::regrole, relrowsecurity, relforcerowsecurity,
          array(select unnest(relacl)::text order by 1),
          array(select concat_ws(' ', polname, polcmd, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
            from pg_policy where polrelid = pg_class.oid order by 1),
          array(select concat_ws(' ', tgname, tgenabled) from pg_trigger where tgrelid = pg_class.oid and not tgisinternal order by 1),
          array(select concat_ws(' ', conname, convalidated) from pg_constraint where conrelid = pg_class.oid order by 1)) as rights
        from pg_class where relkind = 'r' and relnamespace::regnamespace::text ~ '^(auth|internal|public|realtime|storage|graphile_worker)$'
      union all
      select pg_proc.oid::regprocedure::text, concat_ws(' ', proowner::regrole, array(select unnest(proacl)::text order by 1))
        from pg_proc where pronamespace::regnamespace::text ~ '^(auth|internal|public|realtime|storage)$'
      order by 1, 2`);
    return rows;
  });

test('a backup says what is in it, is listed, and only its owner can read it', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const listed = await runBackup(here, 'list', '--json');
  expect(JSON.parse(listed.stdout)).toEqual([
    {
      file,
      size: (await stat(file)).size,
      moment: expect.stringMatching(/Z$/),
      release: expect.any(String),
      encrypted: false,
    },
  ]);
});

test('a restored service has every row, file, and right, and nothing that was to be sent is sent [K98]', async () => {
  const later = "now() + interval '1 hour'";
  const [restored, files] = [await emptyDatabase(), await temporaryFolder()];
  await database.query(`select graphile_worker.add_job('send_push', '{"is": "later"}', run_at := ${later})`);
  await database.query(`select graphile_worker.add_job('send_push', '{"is": "late"}', run_at := now() - interval '1 day')
    from generate_series(1, 3)`);
  await database.query(`update graphile_worker._private_jobs set attempts = 1, run_at = ${later}
    where payload ->> 'is' = 'late' and id = (select max(id) from graphile_worker._private_jobs)`);
  const backup = await makeBackup(here, join(await temporaryFolder(), 'own'));
  const before = await sumsOf(database.address);

  const ran = await runBackup({ address: restored, folder: files }, 'restore', backup);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(ran.stdout).toMatch(/^ {2}3 send_push$/m);
  expect(ran.stdout).toMatch(/Jobs whose time will come: 2\./);

  const ONE_TIME = ['auth.one_time_tokens', 'auth.authorization_codes', 'auth.mfa_challenges', 'auth.oidc_flows'];
  const without = (sums: Record<string, string>) =>
    Object.fromEntries(Object.entries(sums).filter(([name]) => !ONE_TIME.includes(name)));
  const after = await sumsOf(restored);
  expect(without(after)).toEqual(without(before));
  for (const name of ONE_TIME) expect(after[name], name).toMatch(/^0 /);
  expect(await rightsOf(restored)).toEqual(await rightsOf(database.address));
  const jobs = await withClient(restored, (client) => client.query('select task_identifier from graphile_worker.jobs'));
  expect(jobs.rows.map((job) => job.task_identifier).sort()).toEqual(['notify_of_unseen', 'send_push']);

  const again = await startTestServer({ address: restored }, { dataDirectory: files, secrets: server.secrets });
  const download = await again.request('/storage/v1/object/public/papers/large');
  expect(large.equals(Buffer.from(await download.arrayBuffer()))).toBe(true);
  const client = again.client();
  expect((await client.auth.signInWithPassword(owner)).error).toBeNull();
  expect((await client.from('messages').select('body')).data).toEqual([{ body: 'I \\found\n it\t🔑' }]);
  const stranger = again.client();
  await stranger.auth.signInWithPassword(another);
  expect((await stranger.from('messages').select()).data).toEqual([]);
  expect((await stranger.from('items').select()).data).toEqual([]);
  expect((await again.client().from('messages').select()).error?.code).toBe('42501');
  // Numbers go on behind those of the backup, and triggers work again.
  expect((await again.client().rpc('send_message', { ...key, body_param: 'Once more' })).error).toBeNull();
  await expect.poll(() => again.delivery.emails.map(({ text }) => text).join()).toContain('Once more');
  expect(again.delivery.emails.map(({ text }) => text).join()).not.toContain('\\found');
  await again.stop();
});

test('a database with anything in it is refused, and nothing is changed [K98]', async () => {
  const [target, files] = [await emptyDatabase(), await temporaryFolder()];
  await withClient(target, (client) => client.query('create table mine (id integer)'));
  const ran = await runBackup({ address: target, folder: files }, 'restore', file);
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('not empty: it has public.mine') });
  const schemas = await withClient(target, (client) =>
    client.query(`select from pg_namespace where nspname in ('auth', 'internal', 'storage')`),
  );
  expect(schemas.rows).toEqual([]);
  expect(await readdir(join(files, 'storage/blobs'))).toEqual([]);
  expect((await runBackup(here, 'restore', file)).stderr).toContain('not empty');
});

test('a person’s own tables, functions, and extensions are named as not in it, and an own column is', async () => {
  await database.query('create schema mine');
  await database.query('create table mine.notes (id bigserial primary key)');
  await database.query('create view public.mine_view as select 1 as one');
  await database.query('create function public.mine_function() returns integer language sql return 1');
  await database.query(`alter table public.items add column shelf text default 'top'`);
  const own = join(await temporaryFolder(), 'own');
  const created = await runBackup(here, 'create', '--folder', own);
  const foreign = ['function public.mine_function()', 'schema mine', 'table mine.notes', 'view public.mine_view'];
  expect(created.stdout.split('\n').filter((line) => line.startsWith('  '))).toEqual(
    foreign.map((name) => `  ${name}`),
  );
  const restored = await emptyDatabase();
  const [made = ''] = created.stdout.split('\n');
  const ran = await runBackup({ address: restored, folder: await temporaryFolder() }, 'restore', made);
  expect(ran.stdout).toContain('Columns of your own, without their rules and indexes: public.items.shelf.');
  const shelves = await withClient(restored, (client) => client.query('select distinct shelf from public.items'));
  expect(shelves.rows).toEqual([{ shelf: 'top' }]);
  await database.query('drop schema mine cascade; drop view public.mine_view; drop function public.mine_function()');
  await database.query('alter table public.items drop column shelf');
});

test('verify restores it elsewhere, and refuses any single flipped bit and a backup that was cut [K98]', async () => {
  expect(await runBackup(here, 'verify', file)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('can be restored'),
  });
  const whole = await readFile(file);
  const spoilt = join(await temporaryFolder(), 'spoilt.tar');
  const places = Array.from({ length: 12 }, () => Math.floor(Math.random() * whole.byteLength));
  for (const at of [0, 500, 511, whole.byteLength - 1, whole.byteLength - 1_100, whole.byteLength - 2_000, ...places]) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
    await writeFile(spoilt, bytes);
    expect(await runBackup(here, 'verify', spoilt), `byte ${at}`).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/spoilt\.tar is damaged: /),
    });
  }
  await writeFile(spoilt, whole);
  await truncate(spoilt, whole.byteLength - 1);
  expect((await runBackup(here, 'verify', spoilt)).stderr).toContain('is damaged: it ends before its end was written');
  await writeFile(spoilt, Buffer.concat([whole, Buffer.from('x')]));
  expect((await runBackup(here, 'verify', spoilt)).stderr).toContain('is damaged');
});

test.skipIf(small === null)(
  'on a full disk a backup ends with a reason, encrypted or not, and leaves nothing',
  async () => {
    await runBackup(here, 'create-key', join(folder, 'key'));
    const publicKey = /age1\w+/.exec(await readFile(join(folder, 'key'), 'utf8'))?.[0] ?? '';
    for (const more of [[], ['--to-key', publicKey]]) {
      const ran = await runBackup(here, 'create', '--folder', small ?? '', ...more);
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('ENOSPC') });
      expect(await readdir(small ?? '')).toEqual([]);
    }
  },
);

test('a missing file is an error that names it, and leaves no backup [K98]', async () => {
  const [object] = await database.query<{ version: string }>(`select version from storage.objects limit 1`);
  await database.query(`insert into storage.objects (bucket_id, name, version)
    values ('papers', 'lost', '00000000-0000-4000-8000-000000000000')`);
  expect(object).toBeDefined();
  const own = join(await temporaryFolder(), 'own');
  const ran = await runBackup(here, 'create', '--folder', own);
  expect(ran).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('00000000-0000-4000-8000-000000000000 is missing'),
  });
  expect(await readdir(own)).toEqual([]);
  await database.query(`delete from storage.objects where name = 'lost'`);
});
