import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { dropDatabase } from '#tests/support/clusters/drop-database.ts';
import { DATABASE_FOLDER, onCluster } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';

/** docs/operate/backup.md, command by command, with the programs of the installed PostgreSQL. */
const run = promisify(execFile);
const programs = process.env.POSTGRES_15_BIN ?? '';
const { address: superuser } = thisCluster();
const account: PostgresAddress = { ...superuser, user: 'drill' };
const folder = await temporaryFolder();
const dump = join(folder, 'reunite.dump');

const as = ({ host, port, user, database }: PostgresAddress) => ({
  env: { ...process.env, PGHOST: host, PGPORT: String(port), PGUSER: user, PGDATABASE: database },
});
const program = async (name: string, where: PostgresAddress, ...words: string[]) =>
  (await run(join(programs, name), words, { ...as(where), maxBuffer: 2 ** 26 })).stdout;

/** Everything but the rows, with all owners and rights. The order of grants says nothing. */
const schemaOf = async (where: PostgresAddress) => {
  const lines = (await program('pg_dump', where, '--schema-only')).split('\n');
  return (
    lines
      // Of each dump's own is the token that protects psql from it.
      .filter((line) => !/^\\(un)?restrict /.test(line))
      // PostgreSQL 15 writes a restored condition with fewer parentheses.
      .map((line) => (/^CREATE TRIGGER | CHECK /.test(line) ? line.replaceAll(/[()]/g, '') : line))
      .sort()
  );
};

async function createDatabase(name: string): Promise<PostgresAddress> {
  await onCluster(superuser, `create database ${name} owner drill encoding 'UTF8' template template0`);
  whenDone(() => dropDatabase(superuser, name));
  return { ...account, database: name };
}

const RESTORES: Readonly<Record<string, (restored: PostgresAddress) => Promise<void>>> = {
  async 'as a superuser'(restored) {
    await program(
      'pg_restore',
      { ...superuser, database: restored.database },
      '--exit-on-error',
      `--dbname=${restored.database}`,
      dump,
    );
  },
  async 'without a superuser'(restored) {
    const list = (await program('pg_restore', restored, '--list', dump)).split('\n');
    const [schemas, rest] = [join(folder, 'schemas.list'), join(folder, 'rest.list')];
    await writeFile(schemas, list.filter((line) => line.includes(' SCHEMA - ')).join('\n'));
    await writeFile(rest, list.filter((line) => !line.includes(' SCHEMA - ')).join('\n'));
    const all = 'auth, graphile_worker, internal, public, realtime, storage';
    const to = ['--exit-on-error', `--dbname=${restored.database}`];
    await program('pg_restore', restored, ...to, `--use-list=${schemas}`, dump);
    await program('psql', restored, '-c', `grant create on schema ${all} to service_role`);
    await program('pg_restore', restored, ...to, `--use-list=${rest}`, dump);
    await program('psql', restored, '-c', `revoke create on schema ${all} from service_role`);
  },
};

test('a service that is restored from its dump and its files goes on where it was, restored either way [K52]', async () => {
  await onCluster(superuser, 'create role drill login createrole bypassrls');
  await onCluster(superuser, 'grant service_role to drill with admin option; grant anon, authenticated to drill');
  const original = await createDatabase('drill_original');
  const log = keepingLog();
  await migrate({ address: original, directory: DATABASE_FOLDER, log });

  const files = join(folder, 'original');
  const server = await startTestServer({ address: original }, { dataDirectory: files });
  const owner = await registerOwner(server, { phone: '' });
  const qrId = createTagCode();
  const item = { qr_id: qrId, user_id: owner.user.id, item_type: 'keys', item_name: 'Keys' };
  expect((await owner.client.from('items').insert(item)).error).toBeNull();
  const key = { qr_id_param: qrId, finder_key_param: 'the-key-of-the-finder-in-the-drill' };
  expect((await server.client().rpc('send_message', { ...key, body_param: 'I found it' })).error).toBeNull();
  const operator = server.client({ key: server.secrets.secretKey }).storage;
  await operator.createBucket('papers', { public: true });
  await operator.from('papers').upload('a.txt', 'A file');
  const { session } = (await owner.client.auth.getSession()).data;

  await program('pg_dump', original, '--format=custom', `--file=${dump}`);
  await cp(join(files, 'storage/blobs'), join(folder, 'blobs'), { recursive: true });
  await server.stop();

  for (const [way, restore] of Object.entries(RESTORES)) {
    const restored = await createDatabase(`drill_${way.replaceAll(' ', '_')}`);
    await restore(restored);
    expect(await schemaOf(restored), way).toEqual(await schemaOf(original));
    const dataDirectory = join(folder, way);
    await cp(join(folder, 'blobs'), join(dataDirectory, 'storage/blobs'), { recursive: true });
    // The start finds nothing to migrate.
    await migrate({ address: restored, directory: DATABASE_FOLDER, log });
    const again = await startTestServer({ address: restored }, { dataDirectory, secrets: server.secrets });

    const { auth } = again.client();
    const refreshed = await auth.refreshSession({ refresh_token: session?.refresh_token ?? '' });
    expect(refreshed.data.user?.id, way).toBe(owner.user.id);
    const client = again.client();
    expect((await client.auth.signInWithPassword(owner)).error, way).toBeNull();
    const { data: messages } = await client.from('messages').select('body, conversation_id');
    expect(messages, way).toEqual([{ body: 'I found it', conversation_id: expect.any(String) }]);
    const reply = { conversation_id_param: messages?.[0]?.conversation_id, body_param: 'Thank you' };
    expect((await client.rpc('send_reply', reply)).error, way).toBeNull();
    const conversation = await again.client().rpc('read_conversation', key);
    expect(conversation.data.messages.map(({ body }: { body: string }) => body)).toEqual(['I found it', 'Thank you']);
    const file = await again.request('/storage/v1/object/public/papers/a.txt');
    expect(await file.text(), way).toBe('A file');
    // Rights came along: a visitor reads no message, and an owner no other’s; and jobs run.
    expect((await again.client().from('messages').select()).error?.code, way).toBe('42501');
    const another = await registerOwner(again, { phone: '' });
    expect((await another.client.from('messages').select()).data, way).toEqual([]);
    await again.client().rpc('send_message', { ...key, body_param: 'Once more' });
    await expect.poll(() => again.delivery.emails.some(({ text }) => text.includes('Once more'))).toBe(true);
    await again.stop();
  }
});
