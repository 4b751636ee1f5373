import { expect, onTestFinished, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { NotPrimary } from '#server/postgres/primary-client.ts';
import { onCluster } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const own = await createTestDatabase();
const database = openDatabase({ address: own.address, log: quietLog });
whenDone(() => database.close());

const WRITE = { text: 'update internal.rate_limits set points = points where false' };
const WRITES = {
  asService: () => database.asService(WRITE),
  transactAsService: () => database.transactAsService(({ query }) => query(WRITE)),
  countLimits: () => database.countLimits(WRITE),
  asOwner: () => database.asOwner(WRITE),
};

/** For sessions that begin from now on: as PostgreSQL has it while it protects a full disk, or its replacement. */
function mayBeWritten(may: boolean): Promise<void> {
  const { address } = thisCluster();
  return onCluster(address, `alter database ${own.address.database} set default_transaction_read_only = ${!may}`);
}

test('writes to a database that can only be read are refused as unavailable, and the next ones are served once it can be written', async () => {
  await mayBeWritten(false);
  onTestFinished(() => mayBeWritten(true));
  for (const [name, write] of Object.entries(WRITES)) {
    const failure = await write().catch((error: unknown) => error);
    expect(failure, name).toBeInstanceOf(NotPrimary);
    expect(isDatabaseUnavailable(failure), name).toBe(true);
  }
  await mayBeWritten(true);
  for (const write of Object.values(WRITES)) await write();
});

test('a call that may only read fails by its own fault, and keeps its connection', async () => {
  const backend = async () =>
    (await database.asService<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })).rows[0]?.pid;
  const before = await backend();
  const write = database.asCaller(VISITOR, { text: 'create temporary table t ()' }, { readOnly: true });
  await expect(write).rejects.toMatchObject({ code: '25006' });
  expect(await backend()).toBe(before);
});
