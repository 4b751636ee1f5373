import { expect, test } from 'vitest';
import { OperatorError } from '#server/operator-error.ts';
import { checkConnections, warnOfFewConnections } from '#server/postgres/check-connections.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const own = await createTestDatabase();

/** The database's address as an operator writes it, with more settings in it. */
function addressWith(settings: Readonly<Record<string, string>>) {
  const { host = '', port, user = '', password, database } = own.address;
  const query = new URLSearchParams({ host, port: String(port), ...settings });
  return {
    connectionString: `postgres://${encodeURIComponent(user)}:${encodeURIComponent(String(password))}@/${database}?${query}`,
  };
}

function openBy(settings: Readonly<Record<string, string>>) {
  const opened = openDatabase({ address: addressWith(settings), log: quietLog });
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

test('a server that may open more connections than PostgreSQL allows logs a warning', async () => {
  const database = openBy({});
  const warnings: object[] = [];
  const log = { ...quietLog, warn: (fields: object) => void warnings.push(fields) };
  const [settings] = await own.query<{ allowed: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed`,
  );
  const allowed = settings?.allowed ?? expect.unreachable();
  await warnOfFewConnections(database, { most: allowed, log });
  expect(warnings).toEqual([]);
  await warnOfFewConnections(database, { most: allowed + 1, log });
  expect(warnings).toEqual([{ allowed, most: allowed + 1 }]);
});
