import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { runBackup } from './run-backup.ts';

const database = await createTestDatabase();
const [folder, dataDirectory] = [await temporaryFolder(), await temporaryFolder()];
const metricsPort = await ownPort();
const made = await runBackup({ address: database.address, folder }, 'create-key', join(dataDirectory, 'key'));
const [publicKey = ''] = made.stdout.split('\n');
const environment = {
  BACKUP_SCHEDULE: 'daily 00:00',
  BACKUP_TO: folder,
  BACKUP_TO_KEY: publicKey,
  BACKUP_KEEP: '2 daily 0 weekly 0 monthly',
};
// As its calendar does every five minutes.
const look = () =>
  database.query(`select graphile_worker.add_job('back_up', queue_name := 'back_up') from generate_series(1, 4)`);
const looked = () =>
  expect
    .poll(() => database.query(`select from graphile_worker.jobs where task_identifier = 'back_up'`), {
      timeout: 30_000,
    })
    .toEqual([]);
const backups = async () => (await readdir(folder)).filter((name) => /^reunite-[\dTZ-]+\.tar\.age$/.test(name)).sort();

function start(more: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  return startTestServer(database, { dataDirectory, environment: { ...environment, ...more } });
}

test('a service backs up by itself: once for several servers, encrypted, with what ended; only older ones are thinned [K98]', async () => {
  const old = ['2025-01-01', '2025-01-02', '2025-01-03'].map((day) => `reunite-${day}T00-00-00Z.tar.age`);
  for (const name of old) await writeFile(join(folder, name), 'of before');
  await writeFile(join(folder, 'reunite-endings-2025-01-02.txt'), '');
  await writeFile(join(folder, 'reunite-2025-01-04T00-00-00Z.tar.age.part'), 'of one that was killed');
  await writeFile(join(folder, 'of-another.tar.age'), '');
  const servers = [await start({ METRICS_PORT: String(metricsPort) }), await start()];
  const [server] = servers;
  if (server === undefined) throw new Error('There is no server.');
  const owner = await registerOwner(server);
  await look();
  await looked();

  const [, newest = ''] = await backups();
  expect(await backups()).toEqual([old[2], newest]);
  expect((await readFile(join(folder, newest), 'utf8')).startsWith('age-encryption.org/')).toBe(true);
  expect(await readdir(folder)).toContain('of-another.tar.age');
  expect(await readdir(folder)).not.toContain('reunite-endings-2025-01-02.txt');
  const verified = await runBackup(
    { address: database.address, folder: dataDirectory },
    'verify',
    join(folder, newest),
    '--key-file',
    join(dataDirectory, 'key'),
  );
  expect(verified, verified.stderr).toMatchObject({ code: 0 });

  // What ends is written every five minutes, without another backup.
  await owner.client.auth.signOut();
  await look();
  await looked();
  const today =
    (await readdir(folder))
      .filter((name) => name.startsWith('reunite-endings-'))
      .sort()
      .at(-1) ?? '';
  expect(await readFile(join(folder, today), 'utf8')).toContain('auth.sessions');
  expect(await backups()).toEqual([old[2], newest]);
  expect(servers.flatMap(({ logged }) => logged).filter((line) => line.includes('A backup was made'))).toHaveLength(1);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/^reunite_backup_age_seconds \d/m);
  for (const each of servers) await each.stop();
});

test('a backup that fails is logged and counted, and neither removes one nor leaves a part [K98]', async () => {
  for (const name of (await backups()).slice(1)) await rm(join(folder, name));
  const before = (await readdir(folder)).sort();
  await database.query(`insert into storage.buckets (id, name) values ('papers', 'papers')`);
  await database.query(`insert into storage.objects (bucket_id, name, version)
    values ('papers', 'lost', '00000000-0000-4000-8000-000000000000')`);
  const server = await start({ METRICS_PORT: String(metricsPort) });
  await look();
  await looked();
  expect(server.logged.filter((line) => line.includes('The backup failed'))).toHaveLength(1);
  expect((await readdir(folder)).sort()).toEqual(before);
  expect(await backups()).toHaveLength(1);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain('reunite_backups_total{outcome="failed"} 1');
  await server.stop();
});
