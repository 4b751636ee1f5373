import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Primary } from '#server/postgres/primary/primary.ts';
import { type History, SeenHistory } from '#server/postgres/primary/seen-history.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';

const { address } = thisCluster();
const { host = '', port, user = '', password, database = '' } = address;
/** The only one of the address that responds. */
const url = `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user, password: String(password ?? '') })}`;
const client = await connectTo(address);
const { rows } = await client.query<History>(
  `select system_identifier::text as system, timeline_id as timeline from pg_control_system(), pg_control_checkpoint()`,
);
const [own] = rows;
if (own === undefined) throw new Error('PostgreSQL has no history.');

/** What a process finds that starts after others have seen a history; and the file afterwards. */
async function find(seen: History | null) {
  const folder = await temporaryFolder();
  const path = join(folder, 'primary.json');
  if (seen !== null) await writeFile(path, JSON.stringify(seen));
  const primary = new Primary([url], new SeenHistory(folder), quietLog);
  const place = await primary.find().catch((error: Error) => error);
  return { place, kept: JSON.parse(await readFile(path, 'utf8')), path };
}

test.for([
  ['nothing', null],
  ['the same history', own],
  ['a shorter history', { ...own, timeline: own.timeline - 1 }],
  ['the longer history of another cluster', { system: '1', timeline: own.timeline + 7 }],
] as const)('where %s was seen, the server is the primary, and is kept as such', async ([, seen]) => {
  const { place, kept } = await find(seen);
  expect(place).toMatchObject({ host });
  expect(kept).toEqual(own);
});

test('where a later promotion of the same cluster was seen, the server is a former primary, and the error names the file', async () => {
  const seen = { ...own, timeline: own.timeline + 1 };
  const { place, kept, path } = await find(seen);
  expect(place).toMatchObject({
    name: 'NotPrimary',
    message: expect.stringMatching(/ is a former primary\. .*remove .* and start again/),
  });
  expect(place).toMatchObject({ message: expect.stringContaining(path) });
  expect(kept).toEqual(seen);
});

test('a file that holds nothing is as none', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'primary.json'), '{"timeline":');
  const seen = new SeenHistory(folder);
  expect(await seen.read()).toBeNull();
  await seen.keep(own);
  expect(await seen.read()).toEqual(own);
});

test('a primary is found where nothing can be kept', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  const primary = new Primary([url], new SeenHistory(join(file, 'folder')), quietLog);
  expect(await primary.find()).toMatchObject({ host });
});
