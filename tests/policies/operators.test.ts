import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Caller } from '#server/postgres/caller.ts';
import { rehearse } from '#tests/support/act-as.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { attempt } from './attempt.ts';

const database = await createTestDatabase();
const concerned = await createOwner(database);

/** An account with the role, in a session that has shown a second factor. */
async function createOperator(): Promise<TestOwner> {
  const account = await createOwner(database);
  await database.query("update auth.sessions set aal = 'aal2' where id = $1", [account.sessionId]);
  await database.query('select public.add_operator($1)', [account.id]);
  return { ...account, caller: withClaims(account.caller, { aal: 'aal2' }) };
}

function withClaims(caller: Caller, claims: Readonly<Record<string, unknown>>): Caller {
  return { ...caller, claims: { ...caller.claims, ...claims } };
}

const operator = await createOperator();

/** Every look and act of the console, with something that it is about. */
const CALLS: readonly (readonly [string, readonly unknown[]])[] = [
  ['public.look_at_service()', []],
  ['public.look_at_returns()', []],
  ['public.look_at_deliveries()', []],
  ['public.look_for_account($1)', [concerned.email]],
  ['public.look_at_contact_details($1, $2)', [concerned.id, 'They asked by phone']],
  ...['disable', 'enable', 'end_sessions', 'delete', 'send_link'].map(
    (act) => ['public.act_on_account($1, $2)', [concerned.id, act]] as const,
  ),
  ['public.make_link($1, $2)', [concerned.email, 'They forgot it']],
  ['public.look_at_reports($1)', [true]],
  ['public.act_on_report($1, $2)', [concerned.id, 'close']],
  ['public.look_at_batches()', []],
  ['public.look_at_desks()', []],
  ['public.save_desk($1, $2, $3, $4)', ['Station', 'Hall 1', 'UTC', '[[],[],[],[],[],[],[]]']],
  ['public.remove_desk($1)', [concerned.id]],
  ['public.make_batch($1, $2)', ['Fair', 3]],
  ['public.fill_batch($1)', [concerned.id]],
  ['public.look_at_batch_codes($1)', [concerned.id]],
  ['public.act_on_batch($1, $2, $3)', [concerned.id, 'void', 'Stolen']],
];

const call = (as: Caller, statement: string, values: readonly unknown[]) =>
  rehearse(database, (client) => attempt(client, as, `select ${statement} as value`, values));

test('every function that operators may call is tried here', async () => {
  const rows = await database.query<{ name: string }>(
    `select oid::regproc::text as name from pg_proc
      where prosrc like '%internal.require_operator()%' and pronamespace = 'public'::regnamespace order by 1`,
  );
  const tried = new Set(CALLS.map(([statement]) => statement.replace(/^public\.|\(.*$/g, '')));
  expect(rows.map(({ name }) => name.replace('public.', ''))).toEqual([...tried].sort());
});

test.each(CALLS)(
  '%s %j is refused to a forged role, without a second factor, to an old session, and after a demotion [K101]',
  async (statement, values) => {
    const plain = await createOwner(database);
    for (const claims of [
      { aal: 'aal2', app_metadata: { role: 'operator', operator: true } },
      { aal: 'aal2', user_metadata: { operator: true }, is_super_admin: true },
      // Another's id with a session of one's own.
      { aal: 'aal2', user_role: 'operator', sub: plain.id },
    ])
      expect((await call(withClaims(plain.caller, claims), statement, values)).refused).toBe('no privilege');

    const withoutFactor = await createOwner(database);
    await database.query('select public.add_operator($1)', [withoutFactor.id]);
    expect((await call(withoutFactor.caller, statement, values)).refused).toBe('PT403');
    // A token that says more than its session, a session that is another's, and one that has ended.
    expect((await call(withClaims(withoutFactor.caller, { aal: 'aal2' }), statement, values)).refused).toBe('PT403');
    const borrowed = withClaims(withoutFactor.caller, { aal: 'aal2', session_id: operator.sessionId });
    expect((await call(borrowed, statement, values)).refused).toBe('PT403');
    expect((await call(withClaims(operator.caller, { aal: 'aal1' }), statement, values)).refused).toBe('PT403');
    expect((await call(withClaims(operator.caller, { session_id: undefined }), statement, values)).refused).toBe(
      'PT403',
    );

    const away = await createOperator();
    await database.query("update auth.sessions set proved_at = now() - interval '25 hours' where id = $1", [
      away.sessionId,
    ]);
    expect((await call(away.caller, statement, values)).refused, 'an old session').toBe('PT403');

    const demoted = await createOperator();
    await database.query('select public.remove_operator($1)', [demoted.id]);
    expect((await call(demoted.caller, statement, values)).refused).toBe('no privilege');
  },
);

test('an operator finds an account by its exact address, number, or id, and learns no name or contact detail', async () => {
  await database.query('update auth.users set phone = $2, phone_confirmed_at = now() where id = $1', [
    concerned.id,
    concerned.phone.slice(1),
  ]);
  for (const query of [concerned.email.toUpperCase(), concerned.id, concerned.phone]) {
    const { rows } = await call(operator.caller, 'public.look_for_account($1)', [query]);
    expect(rows[0]?.value).toEqual([expect.objectContaining({ id: concerned.id, sessions: 1 })]);
    const said = JSON.stringify(rows[0]?.value);
    for (const secret of [concerned.email, concerned.phone.slice(1), concerned.fullName])
      expect(said).not.toContain(secret);
  }
  for (const query of [concerned.email.slice(1), '%', '', concerned.phone.slice(0, 6)]) {
    const { rows } = await call(operator.caller, 'public.look_for_account($1)', [query]);
    expect(rows[0]?.value).toEqual([]);
  }
});

test('contact details need a reason, which the person concerned reads among their recent changes', async () => {
  const look = 'public.look_at_contact_details($1, $2)';
  expect((await call(operator.caller, look, [concerned.id, '    ']))?.refused).toBe('22023');
  await rehearse(database, async (client) => {
    const { rows } = await attempt(client, operator.caller, `select ${look} as value`, [
      concerned.id,
      ' A lost letter ',
    ]);
    expect(rows[0]?.value).toMatchObject({ email: concerned.email });
    const list = 'select public.list_account_changes() as value';
    const own = await attempt(client, concerned.caller, list, []);
    expect(own.rows[0]?.value).toMatchObject({ changes: [{ kind: 'operator_looked', reason: 'A lost letter' }] });
    const [exported] = (await attempt(client, concerned.caller, 'select public.export_my_data() as value', [])).rows;
    expect(JSON.stringify(exported)).toContain('A lost letter');
    expect(JSON.stringify(exported)).not.toContain(operator.id);
    const entry = await client.query("select details from auth.audit_log where event = 'operator_looked'");
    expect(entry.rows).toEqual([
      { details: { what: 'contact_details', operator: operator.id, reason: 'A lost letter' } },
    ]);
  });
});

test('an account is disabled, let in again, signed out, and deleted, and an operator’s account is neither', async () => {
  const colleague = await createOperator();
  const act = 'public.act_on_account($1, $2)';
  for (const what of ['disable', 'delete'])
    expect((await call(operator.caller, act, [colleague.id, what])).refused).toBe('PT409');
  await rehearse(database, async (client) => {
    const does = (what: string) => attempt(client, operator.caller, `select ${act} as value`, [concerned.id, what]);
    const state = async () => {
      const { rows } = await client.query(
        `select banned_until > now() as banned, (select count(*)::int from auth.sessions where user_id = $1) as sessions
          from auth.users where id = $1`,
        [concerned.id],
      );
      return rows[0];
    };
    await does('disable');
    expect(await state()).toEqual({ banned: true, sessions: 0 });
    await does('enable');
    expect(await state()).toEqual({ banned: null, sessions: 0 });
    await does('delete');
    expect(await state()).toBeUndefined();
  });
});

test('a link needs a reason for an account, which its owner reads, and none is made to an operator’s account', async () => {
  const make = 'public.make_link($1, $2)';
  const colleague = await createOperator();
  expect((await call(operator.caller, make, [colleague.email, 'They forgot it'])).refused).toBe('PT409');
  for (const reason of [null, '', '    ', 'abcd', 'x'.repeat(201)])
    expect((await call(operator.caller, make, [concerned.email, reason])).refused).toBe('22023');
  for (const address of ['', 'nobody', 'a b@example.org', `${'x'.repeat(250)}@example.org`, null])
    expect((await call(operator.caller, make, [address, 'They forgot it'])).refused).toBe('22023');
  await rehearse(database, async (client) => {
    const does = (email: string) =>
      attempt(client, operator.caller, `select ${make} as value`, [email, 'They forgot it']);
    const made: unknown[] = [];
    for (const email of [concerned.email, ` ${concerned.email.toUpperCase()}`, 'new@example.org', 'new@example.org'])
      made.push((await does(email)).rows[0]?.value);
    expect(made.map((value) => Object(value).kind)).toEqual(['recovery', 'recovery', 'invite', 'invite']);
    const { rows } = await client.query(
      `select encode(link_hash, 'hex') as hash, token_hash, link_expires_at - created_at = '1 day' as lasts_a_day
        from auth.one_time_tokens order by id`,
    );
    expect(rows, 'the newest alone, and only its hash').toEqual(
      [made[1], made[3]].map((value) => {
        const token = /token_hash=([\w-]{64})&/.exec(Object(value).path)?.[1] ?? '';
        return { hash: createHash('sha256').update(token).digest('hex'), token_hash: null, lasts_a_day: true };
      }),
    );
    const own = await attempt(client, concerned.caller, 'select public.list_account_changes() as value', []);
    expect(Object(own.rows[0]?.value).changes[0]).toMatchObject({
      kind: 'operator_made_link',
      reason: 'They forgot it',
    });
  });
});

test('a batch is made, filled, voided, and restored', async () => {
  await rehearse(database, async (client) => {
    const value = async (statement: string, values: readonly unknown[]) =>
      (await attempt(client, operator.caller, `select ${statement} as value`, values)).rows[0]?.value;
    const id = await value('public.make_batch($1, $2, $3)', [' Fair ', 1_200, '']);
    expect(await value('public.fill_batch($1)', [id])).toBe(1_000);
    expect(await value('public.make_batch($1, $2)', ['Fair', 1_200])).toBe(id);
    expect(await value('public.fill_batch($1)', [id])).toBe(1_200);
    expect(await value('public.look_at_batch_codes($1, 1000)', [id])).toHaveLength(200);
    expect(await value('public.act_on_batch($1, $2, $3)', [id, 'void', 'Stolen'])).toBe(1_200);
    expect(await value('public.look_at_batches()', [])).toMatchObject([{ id, label: 'Fair', void: 1_200, claimed: 0 }]);
    expect(await value('public.act_on_batch($1, $2)', [id, 'restore'])).toBe(1_200);
  });
});

test('why something was not sent names no receiver', async () => {
  await rehearse(database, async (client) => {
    await client.query(`select graphile_worker.add_job('send_account_mail')`);
    await client.query(
      `update graphile_worker._private_jobs set attempts = 3,
        last_error = '550 <ann@example.org> is unknown, call +1 555 010 0199 or see https://mail.example.org/x?u=ann'`,
    );
    const { rows } = await attempt(client, operator.caller, 'select public.look_at_deliveries() as value', []);
    expect(rows[0]?.value).toEqual([
      expect.objectContaining({
        task: 'send_account_mail',
        attempts: 3,
        is_retried: true,
        reason: '550 <…> is unknown, call … or see …',
      }),
    ]);
  });
});
