import type { PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import { rehearse } from '#tests/support/act-as.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { attempt } from './attempt.ts';
import { TREATMENTS } from './lasting-changes.ts';
import { OUR_SCHEMAS, readFunctions } from './our-catalogue.ts';
import { seed } from './seed.ts';

const database = await createTestDatabase();
const seeded = await seed(database);
const { owner } = seeded;

/** Whole tables where every column may be written, and else columns. */
const WRITABLE = `
  select lower(privilege) || ' ' || relation || coalesce('(' || attname || ')', '') as act
    from (
      select format('%I.%I', nspname, relname) as relation, pg_class.oid from pg_class
        join pg_namespace on pg_namespace.oid = relnamespace
        where relkind in ('r', 'p', 'v') and nspname = any ($1) and has_schema_privilege('authenticated', nspname, 'usage')
    ) as ours
    cross join unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as privilege
    left join pg_attribute on privilege in ('INSERT', 'UPDATE') and attrelid = ours.oid and attnum > 0
      and not has_table_privilege('authenticated', ours.oid, privilege)
      and has_column_privilege('authenticated', ours.oid, attnum, privilege)
    where has_table_privilege('authenticated', ours.oid, privilege) or attname is not null`;

test('everything that a session may do either needs a recent proof or is said to be harmless [K3]', async () => {
  const functions = await readFunctions(database);
  const executable = functions
    .filter(({ executableBy, isTrigger }) => executableBy.includes('authenticated') && !isTrigger)
    .map(({ name }) => `execute ${name}`);
  const writable = (await database.query<{ act: string }>(WRITABLE, [OUR_SCHEMAS])).map(({ act }) => act);
  // Every column of these tables is as harmless as the table.
  const whole = ['public.measured_labels'];
  const acts = writable.map((act) =>
    whole.some((table) => act.includes(` ${table}(`)) ? act.replace(/\(.*/, '') : act,
  );
  expect(Object.keys(TREATMENTS).sort()).toEqual([...new Set([...executable, ...acts])].sort());
});

const age = (client: PoolClient, hours: number) =>
  client.query('update auth.sessions set proved_at = now() - make_interval(hours => $2) where user_id = $1', [
    owner.account.id,
    hours,
  ]);

describe.each(
  Object.entries(TREATMENTS).flatMap(([act, treatment]) => ('text' in treatment ? [{ act, ...treatment }] : [])),
)('$act', ({ prepare, text, values, event }) => {
  const logged = async (client: PoolClient) => {
    const { rowCount } = await client.query(
      'select from auth.audit_log where user_id = $1 and event = $2 and session_id = $3',
      [owner.account.id, event, owner.session],
    );
    return rowCount;
  };

  test('an old session may not, and nothing of it stays [K3]', async () => {
    await rehearse(database, async (client) => {
      await age(client, 25);
      if (prepare !== undefined) await client.query(prepare, [values(seeded)[0]]);
      const { refused } = await attempt(client, owner.account.caller, text, values(seeded));
      expect(refused).toBe('PT403');
      expect(await logged(client)).toBe(0);
    });
  });

  test('a session with a recent proof may, and the account’s log says so [K3]', async () => {
    await rehearse(database, async (client) => {
      await age(client, 23);
      if (prepare !== undefined) await client.query(prepare, [values(seeded)[0]]);
      const { refused } = await attempt(client, owner.account.caller, text, values(seeded));
      expect(refused).toBeNull();
      if (event !== null) expect(await logged(client)).toBe(1);
    });
  });
});

test('an old session still reads, replies, edits, marks as lost, and gets more notices [K3]', async () => {
  await rehearse(database, async (client) => {
    await age(client, 25 * 24);
    const allowed: readonly (readonly [string, readonly unknown[]])[] = [
      ['select from public.items', []],
      ['update public.items set lost_at = now(), note_to_finders = null where id = $1', [owner.item.id]],
      ["select public.send_reply($1, 'Thank you!')", [owner.conversationId]],
      ['update public.notice_settings set sms = true, reminder = true where user_id = $1', [owner.account.id]],
      ['delete from public.item_offers where giver_id = $1', [owner.account.id]],
      ['delete from public.push_subscriptions where id = $1', [owner.pushSubscription]],
    ];
    for (const [text, values] of allowed) {
      expect((await attempt(client, owner.account.caller, text, values)).refused, text).toBeNull();
    }
  });
});
