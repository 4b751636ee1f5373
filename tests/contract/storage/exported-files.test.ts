import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { exportAccount, exportFiles } from '#tools/operator/export-account.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const { secretKey } = server.secrets;
const client = server.client({ key: secretKey });
const service = { url: server.url, publicUrl: server.url, stickerUrl: server.url, secretKey, client };

test('every file is exported, whatever its name, and one that cannot be read does not stop the others', async () => {
  await client.storage.createBucket('files');
  await database.query(`
    create policy "own folder" on storage.objects to authenticated
      using (bucket_id = 'files' and owner = (select auth.uid()))
      with check (bucket_id = 'files' and owner = (select auth.uid()))`);
  const { client: browser, user } = await registerOwner(server);
  await database.query("insert into storage.objects (bucket_id, name, owner) values ('files', 'lost.txt', $1)", [
    user.id,
  ]);
  const long = 'l'.repeat(300);
  const names = ['a', 'a/b', `${long}/${long}.txt`, 'a?b.txt', `c.${long}`];
  for (const name of names) {
    const { error } = await browser.storage.from('files').upload(name.replace('?', '%3F'), `This is ${name}`);
    expect(error, name).toBeNull();
  }

  const folder = join(await temporaryFolder(), 'files');
  const { written, failures } = await exportFiles(service, await exportAccount(service, user.id), folder);
  expect(written).toBe(names.length);
  expect(failures).toEqual([expect.stringMatching(/^files\/lost\.txt \([0-9a-f-]{36}\): ./)]);

  const index: { file: string; name: string }[] = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  expect(index.map(({ name }) => name)).toEqual(names);
  expect((await readdir(folder)).toSorted()).toEqual([...index.map(({ file }) => file), 'index.json'].toSorted());
  for (const { file, name } of index) {
    expect(file).toMatch(/^[0-9a-f-]{36}(\.txt)?$/);
    expect(await readFile(join(folder, file), 'utf8')).toBe(`This is ${name}`);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  }
});
