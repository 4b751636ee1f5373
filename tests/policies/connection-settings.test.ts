import { expect, test } from 'vitest';
import { OperatorError } from '#server/operator-error.ts';
import { checkConnections } from '#server/postgres/check-connections.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const own = await createTestDatabase();

/** The database by an address as an operator writes it, with more settings in it. */
function openBy(settings: Readonly<Record<string, string>>) {
  const { host = '', port, user = '', password, database } = own.address;
  const query = new URLSearchParams({ host, port: String(port), ...settings });
  const connectionString = `postgres://${encodeURIComponent(user)}:${encodeURIComponent(String(password))}@/${database}?${query}`;
  const opened = openDatabase({ address: { connectionString }, log: quietLog });
  whenDone(() => opened.close());
  return opened;
}

test('connections that are what they were opened to be pass', async () => {
  await checkConnections(openBy({ application_name: 'mine' }));
});

test.for([
  ['options, in place of the role', { options: '-c search_path=public' }],
  ['no time limit', { statement_timeout: '0' }],
] as const)('an address that sets %s is refused', async ([, settings]) => {
  await expect(checkConnections(openBy(settings))).rejects.toThrow(OperatorError);
});

test('a database that is too slow once is retried', async () => {
  const database = openBy({});
  let tries = 0;
  const readAsVisitor: typeof database.readAsVisitor = (statement) => {
    tries += 1;
    return tries === 1 ? database.readAsVisitor({ text: 'select pg_sleep(2)' }) : database.readAsVisitor(statement);
  };
  await checkConnections({ ...database, readAsVisitor });
  expect(tries).toBe(2);
});
