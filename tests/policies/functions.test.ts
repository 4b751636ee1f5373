import type { PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import { rehearse } from '#tests/support/act-as.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { attempt, contentOfAll } from './attempt.ts';
import { FUNCTION_POLICIES } from './function-policies.ts';
import type { FunctionCase } from './function-policy.ts';
import { type CataloguedFunction, readFunctions, readRelations } from './our-catalogue.ts';
import { CALLERS, callerOf, seed } from './seed.ts';

const database = await createTestDatabase();
const seeded = await seed(database);
const functions = await readFunctions(database);
const relations = await readRelations(database);

test('every function of the catalogue stands in the table of policies, and nothing else does', () => {
  expect(Object.keys(FUNCTION_POLICIES).sort()).toEqual(functions.map(({ name }) => name).sort());
});

describe.each(functions.filter(({ name }) => name in FUNCTION_POLICIES))('$name', (catalogued) => {
  const { executableBy, actsAs = null, cases = [] } = FUNCTION_POLICIES[catalogued.name] ?? { executableBy: [] };

  test('is executable by exactly the roles of the table, and acts as whom it says', () => {
    expect(catalogued.executableBy).toEqual(executableBy);
    expect(catalogued.actsAs).toBe(actsAs);
  });

  // PostgreSQL does not allow calling trigger functions, whatever the privileges.
  if (catalogued.isTrigger) return;

  test('has a case for each role that may execute it', () => {
    const covered = new Set(cases.map(({ as }) => callerOf(as, seeded).role));
    expect(executableBy.filter((role) => !covered.has(role))).toEqual([]);
  });

  const outsiders = CALLERS.filter((name) => !executableBy.includes(callerOf(name, seeded).role));
  test.each(outsiders)('%s is denied', async (name) => {
    await rehearse(database, async (client) => {
      const outcome = await attempt(client, callerOf(name, seeded), callOf(catalogued), nulls(catalogued));
      expect(outcome.refused).toBe('no privilege');
    });
  });

  test.each(cases)('as $as: $shows', async (testCase) => {
    await rehearse(database, (client) => prove(client, catalogued, testCase));
  });
});

async function prove(client: PoolClient, catalogued: CataloguedFunction, { as, given, outcome }: FunctionCase) {
  const call = () => attempt(client, callerOf(as, seeded), callOf(catalogued), given(seeded));
  if (outcome.kind === 'changes') {
    const look = async () => {
      const { rows } = await client.query({
        text: outcome.query,
        values: [...outcome.values(seeded)],
        rowMode: 'array',
      });
      return rows[0]?.[0];
    };
    const wanted = outcome.to(seeded);
    expect(await look()).not.toEqual(wanted);
    const response = await call();
    expect(response.refused).toBeNull();
    if (outcome.response !== null) expect(response.rows[0]?.value).toEqual(outcome.response(seeded));
    expect(await look()).toEqual(wanted);
    return;
  }
  const before = await contentOfAll(client, relations);
  const { refused, rows } = await call();
  if (outcome.kind === 'refused') {
    // A function that refuses a caller does so under the code that privileges have, too.
    expect(refused === 'no privilege' ? '42501' : refused).toBe(outcome.code);
  } else {
    expect(refused).toBeNull();
    expect(rows[0]?.value).toEqual(outcome.value(seeded));
  }
  expect(await contentOfAll(client, relations)).toEqual(before);
}

function callOf({ name, argumentTypes }: CataloguedFunction): string {
  const places = argumentTypes.map((type, index) => `$${index + 1}::${type}`);
  return `select ${name.slice(0, name.indexOf('('))}(${places.join(', ')}) as value`;
}

function nulls({ argumentTypes }: CataloguedFunction): null[] {
  return argumentTypes.map(() => null);
}
