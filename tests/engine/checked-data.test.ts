import { open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkData } from '#server/postgres/embedded/check/check-data.ts';
import { hasEnded } from '#server/postgres/embedded/processes.ts';
import { killWithChildren } from '#tests/support/processes.ts';
import { keepingLog, type LogLine } from '#tests/support/quiet-log.ts';
import { ask, holdRunning, killed, newFolder, postmasterOf, start } from './engine-folder.ts';

const PAGE_BYTES = 8_192;

/** A folder whose PostgreSQL was killed when a table of 1,000 rows, on 17 pages, was in its files. Returns the files. */
async function killedFolder(): Promise<{ folder: string; table: string; index: string }> {
  const folder = await newFolder();
  const { program, address } = await holdRunning(folder);
  await ask(
    address,
    "create table kept as select n as number, repeat('x', 100) as filler from generate_series(1, 1000) n",
  );
  await ask(address, 'alter table kept add primary key (number)');
  // What is written before it is not written again by the recovery.
  await ask(address, 'checkpoint');
  const [paths] = await ask(
    address,
    'select pg_relation_filepath(\'kept\') as "table", pg_relation_filepath(\'kept_pkey\') as "index"',
  );
  const postmaster = await postmasterOf(folder);
  program.kill('SIGSTOP');
  killWithChildren(postmaster);
  await killed(program);
  await hasEnded(postmaster, 5_000);
  const pathOf = (path: unknown) => join(folder, 'postgres', String(path));
  return { folder, table: pathOf(paths?.table), index: pathOf(paths?.index) };
}

function damagesIn({ lines }: { readonly lines: readonly LogLine[] }): unknown[] {
  return lines.flatMap(({ level, fields }) => (level === 'error' && 'relation' in fields ? [fields] : []));
}

function countsIn({ lines }: { readonly lines: readonly LogLine[] }): { checked: number; of: number; damaged: number } {
  const line = lines.find(({ message }) => /did not end in order/.test(message));
  if (line === undefined) throw new Error('The log says nothing of a check.');
  // The only fields of this line.
  return line.fields as ReturnType<typeof countsIn>;
}

test('after a kill the log says that all tables and indexes were checked and that none is damaged [K58]', async () => {
  const { folder } = await killedFolder();
  const log = keepingLog();
  const { address } = await start(folder, log);
  const { checked, of, damaged } = countsIn(log);
  expect(of).toBeGreaterThan(200);
  expect({ checked, damaged }).toEqual({ checked: of, damaged: 0 });
  // And nothing of the check is left.
  expect(await ask(address, "select extname from pg_extension where extname ~ 'amcheck|inspect'")).toEqual([]);
});

test('after a stop in order nothing is checked', async () => {
  const folder = await newFolder();
  const log = keepingLog();
  await start(folder, log);
  expect(log.lines).toEqual([]);
});

test('rows that are gone while the index has them are found before it serves [K58]', async () => {
  const { folder, table } = await killedFolder();
  await truncate(table, 10 * PAGE_BYTES);
  const log = keepingLog();
  await start(folder, log);
  expect(damagesIn(log)).toEqual([
    { relation: 'kept_pkey', found: expect.stringMatching(/^\d+ entries without a row$/) },
  ]);
  expect(countsIn(log)).toMatchObject({ damaged: 1 });
});

test('rows that the index has lost, and pages with other bytes, are found before it serves [K58]', async () => {
  const { folder, table, index } = await killedFolder();
  const file = await open(table, 'r+');
  await file.write(Buffer.alloc(64, 7), 0, 64, PAGE_BYTES + 4_000);
  await file.close();
  const { size } = await stat(index);
  await truncate(index, size - PAGE_BYTES);
  const log = keepingLog();
  await start(folder, log);
  expect(damagesIn(log)).toEqual([
    { relation: 'kept_pkey', found: expect.any(String) },
    { relation: 'kept', found: expect.stringMatching(/invalid page in block 1/) },
  ]);
});

test('a check ends when its time is up, and says how far it came [K58]', async () => {
  const { folder } = await killedFolder();
  const { address } = await start(folder);
  const log = keepingLog();
  await checkData(address, { log, budgetMs: 20 });
  const { checked, of } = countsIn(log);
  expect(checked).toBeLessThan(of);
});
