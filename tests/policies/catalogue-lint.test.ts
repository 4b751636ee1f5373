import type { Pool, PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import { rehearse } from '#tests/support/act-as.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import type { CatalogueLint } from './catalogue-lint.ts';
import { FUNCTION_LINTS } from './lints/function-lints.ts';
import { INTEGRITY_LINTS } from './lints/integrity-lints.ts';
import { PRIVILEGE_LINTS } from './lints/privilege-lints.ts';
import { ROW_SECURITY_LINTS } from './lints/row-security-lints.ts';
import { OUR_SCHEMAS } from './our-catalogue.ts';

const database = await createTestDatabase();

async function findings(connection: Pool | PoolClient, { query }: CatalogueLint): Promise<string[]> {
  const values = query.includes('$1') ? [OUR_SCHEMAS] : [];
  const { rows } = await connection.query<{ finding: string }>(query, values);
  return rows.map(({ finding }) => finding);
}

describe.each([...ROW_SECURITY_LINTS, ...FUNCTION_LINTS, ...PRIVILEGE_LINTS, ...INTEGRITY_LINTS])('$rule', (lint) => {
  test('the migrated database keeps the rule [C25]', async () => {
    expect(await findings(database.pool, lint)).toEqual([]);
  });

  test('a planted fault is found [C25]', async () => {
    await rehearse(database, async (client) => {
      await client.query(lint.fault);
      expect(await findings(client, lint)).toContain(lint.finding);
    });
  });
});
