import { escapeIdentifier, escapeLiteral, type PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import { rehearse } from '#tests/support/act-as.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { type Attempt, attempt, contentOf } from './attempt.ts';
import { type CataloguedRelation, readRelations } from './our-catalogue.ts';
import { RELATION_POLICIES } from './relation-policies.ts';
import { type Grant, type InsertContext, type RelationPolicy, VERBS, type Verb } from './relation-policy.ts';
import { accountOf, CALLERS, type CallerName, callerOf, seed } from './seed.ts';

const database = await createTestDatabase();
const seeded = await seed(database);
const relations = await readRelations(database);

test('every table and view of the catalogue stands in the table of policies, and nothing else does', () => {
  expect(Object.keys(RELATION_POLICIES).sort()).toEqual(relations.map(({ name }) => name).sort());
});

describe.each(relations.filter(({ name }) => name in RELATION_POLICIES))('$name', (relation) => {
  const policy = policyOf(relation);

  test('has rows of the owner and of others, so that an empty result proves something', async () => {
    const [count] = await database.query<{ rows: number; mine: number }>(
      `select count(*)::int as rows, (count(*) filter (where ${mine(policy, seeded.owner.account.id)}))::int as mine
         from ${relation.name}`,
    );
    expect(count?.rows).toBeGreaterThan(0);
    if (policy.ownedBy === undefined) return;
    expect(count?.mine).toBeGreaterThan(0);
    expect(count?.rows).toBeGreaterThan(count?.mine ?? 0);
  });

  describe.each(CALLERS)('as %s', (name) => {
    const caller = callerOf(name, seeded);
    const grant = (verb: Verb) => policy[caller.role]?.[verb];

    test.each(VERBS)(`%s reaches exactly the rows that the table of policies says`, async (verb) => {
      await rehearse(database, (client) => PROOFS[verb]({ client, relation, policy, name, grant: grant(verb) }));
    });

    test('the columns it may read, fill and change are exactly those', async () => {
      await rehearse(database, async (client) => {
        const permitted = async (statement: (column: string) => string) => {
          const columns: string[] = [];
          for (const column of relation.columns) {
            const { refused } = await attempt(client, caller, statement(escapeIdentifier(column)));
            if (refused === null) columns.push(column);
            else expect(refused).toBe('no privilege');
          }
          return columns;
        };
        const written = relation.columns.filter((column) => !relation.generated.includes(column));
        expect(await permitted((column) => `select ${column} from ${relation.name} limit 0`)).toEqual(
          columnsOf(grant('select'), relation.columns),
        );
        expect(await permitted((column) => `update ${relation.name} set ${column} = default where false`)).toEqual(
          columnsOf(grant('update'), relation.columns),
        );
        // A generated column cannot be named in an insert, so its privilege is checked instead.
        const insertable = await client.query<{ column: string }>(
          `select column_name as column from unnest($1::text[]) as column_name
             where has_column_privilege($2, $3, column_name, 'insert')`,
          [written, caller.role, relation.name],
        );
        expect(insertable.rows.map(({ column }) => column)).toEqual(columnsOf(grant('insert'), written));
      });
    });
  });
});

interface Cell {
  readonly client: PoolClient;
  readonly relation: CataloguedRelation;
  readonly policy: RelationPolicy;
  readonly name: CallerName;
  readonly grant: Grant | undefined;
}

const PROOFS: Readonly<Record<Verb, (cell: Cell) => Promise<void>>> = {
  select: async ({ client, relation, policy, name, grant }) => {
    const columns = columnsOf(grant, relation.columns).map(escapeIdentifier).join(', ') || '*';
    const visible = `(select ${columns} from ${relation.name})`;
    const outcome = await attempt(
      client,
      callerOf(name, seeded),
      `select to_jsonb(visible)::text as row from ${visible} as visible order by 1`,
    );
    if (grant === undefined) return expectDenied(outcome);
    expect(outcome.refused).toBeNull();
    const reached = reachedBy(grant, policy, accountOf(name, seeded));
    const expected = await contentOf(client, `(select ${columns} from ${relation.name} where ${reached})`);
    expect(outcome.rows.map(({ row }) => row)).toEqual(expected);
  },

  insert: async ({ client, relation, policy, name, grant }) => {
    if (policy.roomToInsert !== undefined) await client.query(policy.roomToInsert);
    const before = await contentOf(client, relation.name);
    const insertFor = async (account: string) => {
      const row = policy.newRow(await insertContext(client, account));
      const columns = Object.keys(row).map(escapeIdentifier).join(', ');
      const places = Object.keys(row).map((_, index) => `$${index + 1}`);
      const statement = `insert into ${relation.name} (${columns}) values (${places.join(', ')})`;
      return attempt(client, callerOf(name, seeded), statement, Object.values(row));
    };

    const forAnotherUser = await insertFor(seeded.bystander.account.id);
    if (grant === undefined) expectDenied(forAnotherUser);
    else if (grant.reach === 'all') expect(forAnotherUser).toMatchObject({ refused: null, rowCount: 1 });
    else expect(forAnotherUser.refused).toBe('row security');
    if (grant?.reach !== 'all') expect(await contentOf(client, relation.name)).toEqual(before);
    if (grant?.reach !== 'own') return;

    expect(await insertFor(accountOf(name, seeded))).toMatchObject({ refused: null, rowCount: 1 });
    expect(await contentOf(client, relation.name)).toHaveLength(before.length + 1);
  },

  update: async ({ client, relation, policy, name, grant }) => {
    const [column, value] = policy.change;
    const change = `update ${relation.name} set ${escapeIdentifier(column)} = $1`;
    await expectEffect({ client, relation, policy, name, grant }, change, [value]);
  },

  delete: async ({ client, relation, policy, name, grant }) => {
    if (policy.roomToDelete !== undefined) await client.query(policy.roomToDelete);
    await expectEffect({ client, relation, policy, name, grant }, `delete from ${relation.name}`, []);
  },
};

/** Every row within reach was touched, and no other one is any different from before. */
async function expectEffect(
  { client, relation, policy, name, grant }: Cell,
  statement: string,
  values: readonly unknown[],
): Promise<void> {
  const reached = grant === undefined ? 'false' : reachedBy(grant, policy, accountOf(name, seeded));
  const within = await contentOf(client, relation.name, reached);
  const beyond = await contentOf(client, relation.name, `(${reached}) is not true`);
  const outcome = await attempt(client, callerOf(name, seeded), statement, values);
  if (grant === undefined) expectDenied(outcome);
  else expect(outcome).toMatchObject({ refused: null, rowCount: within.length });

  const after = new Set(await contentOf(client, relation.name));
  expect(beyond.filter((row) => !after.has(row))).toEqual([]);
  expect(within.filter((row) => after.has(row))).toEqual([]);
}

function expectDenied(outcome: Attempt): void {
  expect(outcome.refused).toBe('no privilege');
}

function policyOf({ name }: CataloguedRelation): RelationPolicy {
  const policy = RELATION_POLICIES[name];
  if (policy === undefined) throw new Error(`${name} is not in the table of policies.`);
  return policy;
}

function columnsOf(grant: Grant | undefined, every: readonly string[]): readonly string[] {
  if (grant === undefined) return [];
  const { columns } = grant;
  return columns === 'every' ? every : every.filter((column) => columns.includes(column));
}

/** The condition that makes a row the account's. */
function mine({ ownedBy = 'false' }: RelationPolicy, account: string): string {
  return ownedBy.replace('$1', escapeLiteral(account));
}

function reachedBy({ reach }: Grant, policy: RelationPolicy, account: string): string {
  if (reach === 'own') return mine(policy, account);
  return reach === 'all' ? 'true' : 'false';
}

async function insertContext(client: PoolClient, account: string): Promise<InsertContext> {
  const { rows } = await client.query<{
    conversation: string;
    contact: string;
    session: string;
    factor: string;
    server: string;
  }>(
    `select (select id from public.conversations where owner_id = $1) as conversation,
       (select id from public.second_contacts where owner_id = $1) as contact,
       (select id from auth.sessions where user_id = $1) as session,
       (select id from auth.mfa_factors where user_id = $1) as factor,
       (select id from realtime.servers) as server`,
    [seeded.owner.account.id],
  );
  const { conversation = '', contact = '', session = '', factor = '', server = '' } = rows[0] ?? {};
  return {
    account,
    conversation,
    contact,
    session,
    factor,
    server,
    item: seeded.owner.item.id,
    freshCode: createTagCode(),
  };
}
