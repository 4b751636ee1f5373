import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { repeats, rounds } from '#tests/support/long-runs.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { emptyDatabase, makeBackup, runBackup, sumsOf, urlOf, withClient } from './run-backup.ts';

const database = await createTestDatabase();
const folder = await temporaryFolder();
const environment = { STORAGE_KEEP_REMOVED_HOURS: '24' };
const server = await startTestServer(database, { dataDirectory: folder, environment });
const owner = await registerOwner(server, { phone: '' });
const item = { qr_id: createTagCode(), user_id: owner.user.id, item_type: 'keys', item_name: 'Keys' };
expect((await owner.client.from('items').insert(item)).error).toBeNull();
const storage = server.client({ key: server.secrets.secretKey }).storage;
await storage.createBucket('papers', { public: true });
const here = { address: database.address, folder };

/** The program itself, which can be killed. */
function spawnBackup(dataDirectory: string, address: PostgresAddress, ...words: string[]): ChildProcess {
  return spawn(process.execPath, ['tools/reunite.ts', 'backup', ...words], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: { PATH: process.env.PATH, DATABASE_URL: urlOf(address), DATA_DIRECTORY: dataDirectory },
    stdio: 'ignore',
  });
}

/** Kills a backup to the folder at a random moment after its beginning. */
async function killBackup(to: string): Promise<void> {
  const child = spawnBackup(folder, database.address, 'create', '--folder', to);
  const exit = once(child, 'exit');
  await expect
    .poll(
      () =>
        readdir(to).then(
          (names) => names.length,
          () => 0,
        ),
      { interval: 5 },
    )
    .toBe(1);
  await pause(Math.random() * 300);
  child.kill('SIGKILL');
  await exit;
}

/** Writes until it is stopped: rows of two tables in one transaction, and files that are replaced and removed. */
function keepWriting(): { stop(): Promise<number> } {
  let isOver = false;
  let writes = 0;
  const rows = (async () => {
    for (; !isOver; writes += 1) {
      await database.query(
        `with name as (update public.profiles set full_name = $1 where id = $2)
          update public.items set item_name = $1 where user_id = $2`,
        [`Round ${writes}`, owner.user.id],
      );
      await pause(5);
    }
  })();
  const files = (async () => {
    for (let round = 0; !isOver; round += 1) {
      const name = `${round % 20}.txt`;
      if (round % 5 === 0) await storage.from('papers').remove([name]);
      else await storage.from('papers').upload(name, `${name} in round ${round}`, { upsert: true });
    }
  })();
  return {
    async stop() {
      isOver = true;
      await Promise.all([rows, files]);
      return writes;
    },
  };
}

test('backups at random moments under writes, half of them killed: each that is listed is whole and of one moment [K98]', async () => {
  const writing = keepWriting();
  const files: string[] = [];
  for (const run of rounds(4, 20, { times: 5 })) {
    await pause(Math.random() * 300);
    const place = join(folder, `backups-${run}`);
    if (run % 2 === 0) await makeBackup(here, place);
    else await killBackup(place);
    const listed: { file: string }[] = JSON.parse((await runBackup(here, 'list', '--folder', place, '--json')).stdout);
    // One that is killed may have been whole already.
    expect(listed.length).toBeLessThanOrEqual(1);
    if (run % 2 === 0) expect(listed).toHaveLength(1);
    files.push(...listed.map(({ file }) => file));
  }
  expect(await writing.stop()).toBeGreaterThan(20);
  for (const file of files) {
    const verified = await runBackup(here, 'verify', file);
    expect(verified, verified.stderr).toMatchObject({ code: 0 });
    const [address, restored] = [await emptyDatabase(), await temporaryFolder()];
    // Another migration on the cluster can make it wait, which it says.
    expect(await runBackup({ address, folder: restored }, 'restore', file)).toMatchObject({ code: 0 });
    const names = await withClient(address, (client) =>
      client.query('select full_name, item_name from public.profiles join public.items on user_id = profiles.id'),
    );
    expect(names.rows).toHaveLength(1);
    expect(names.rows[0].full_name).toBe(names.rows[0].item_name);
    const again = await startTestServer({ address }, { dataDirectory: restored, secrets: server.secrets, environment });
    const objects = await withClient(address, (client) =>
      client.query<{ name: string; size: string }>(
        `select name, metadata ->> 'size' as size from storage.objects where bucket_id = 'papers'`,
      ),
    );
    for (const { name, size } of objects.rows) {
      const text = await (await again.request(`/storage/v1/object/public/papers/${name}`)).text();
      expect(text).toMatch(new RegExp(`^${name} in round \\d+$`));
      expect(text).toHaveLength(Number(size));
    }
    await again.stop();
  }
});

test('a restore that is killed leaves an empty database, or is whole [K98]', async () => {
  const file = await makeBackup(here, join(folder, 'killed'));
  const target = await temporaryFolder();
  for (let run = 0; run < repeats(1, 5); run += 1) {
    const address = await emptyDatabase();
    const child = spawnBackup(target, address, 'restore', file);
    const exit = once(child, 'exit');
    // It is at work once the first tables of its transaction wait to be committed.
    await expect
      .poll(() =>
        withClient(address, (client) =>
          client.query(`select from pg_stat_activity where datname = current_database() and backend_xid is not null`),
        ).then(({ rowCount }) => rowCount),
      )
      .toBe(1);
    await pause(Math.random() * 200);
    child.kill('SIGKILL');
    await exit;
    const again = await runBackup({ address, folder: target }, 'restore', file);
    if (again.code !== 0) expect(again.stderr).toContain('not empty');
    const [restored, original] = [await sumsOf(address), await sumsOf(database.address)];
    expect(restored['storage.objects']).toBe(original['storage.objects']);
    expect(restored['public.messages']).toBe(original['public.messages']);
  }
});

test('a job whose time will come is queued by the next start where a restore ends between its rows and its jobs [K98]', async () => {
  await database.query(`select graphile_worker.add_job('send_push', '{"is": "to come"}', job_key := 'one',
    run_at := now() + interval '1 day', flags := array['unproved'])`);
  const file = await makeBackup(here, join(folder, 'with-jobs'));
  const [address, target] = [await emptyDatabase(), await temporaryFolder()];
  // What the job queue needs, a schema of its own, cannot be made meanwhile.
  await withClient(address, async (other) => {
    await other.query('begin');
    await other.query('create schema graphile_worker');
    const restoring = runBackup({ address, folder: target }, 'restore', file);
    await expect
      .poll(() =>
        withClient(address, (client) => client.query("select to_regclass('internal.kept_jobs') as kept")).then(
          ({ rows }) => rows[0].kept,
        ),
      )
      .not.toBeNull();
    await withClient(address, (client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name in ('reunite migrations', 'reunite restore')`),
    );
    expect((await restoring).code).toBe(1);
    await other.query('rollback');
  });
  expect(await runBackup({ address, folder: target }, 'restore', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not empty'),
  });

  await migrate({ address, directory: DATABASE_FOLDER, log: quietLog });
  await migrate({ address, directory: DATABASE_FOLDER, log: quietLog });
  const jobs = await withClient(address, (client) =>
    client.query(`select key, payload ->> 'is' as is, flags from graphile_worker._private_jobs where key = 'one'`),
  );
  expect(jobs.rows).toEqual([{ key: 'one', is: 'to come', flags: { unproved: true } }]);
  await database.query(`select graphile_worker.remove_job('one')`);
});
