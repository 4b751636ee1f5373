import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import type { Caller } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase({ connections: 12 });
const owner = await createOwner(database);
const OPERATOR: Caller = { role: 'service_role', claims: { role: 'service_role' } };
const NOT_ISSUED = 'This QR code was not issued by this service';

async function call(caller: Caller, text: string, values: readonly unknown[], settings: readonly string[] = []) {
  return actAs(database, caller, async (client) => {
    for (const setting of settings) await client.query(setting);
    const { rows } = await client.query({ text: `select ${text} as result`, values: [...values] });
    return rows[0]?.result;
  });
}

const voidCode = (code: string, claimedToo = false) =>
  call(OPERATOR, 'public.void_code($1, $2, $3)', [code, 'Stolen', claimedToo]);
const restoreCode = (code: string) => call(OPERATOR, 'public.restore_code($1)', [code]);
const claim = ({ caller, id }: TestOwner, code: string, ...settings: string[]) =>
  call(caller, 'public.register_qr_code($1, $2)', [code, id], settings);
const tag = (by: TestOwner, code: string) =>
  actAs(database, by.caller, (client) =>
    client.query("insert into public.items (qr_id, user_id, item_type, item_name) values ($1, $2, 'keys', 'Keys')", [
      code,
      by.id,
    ]),
  );

const rowOf = async (code: string) => {
  const [row] = await database.query<{ owner: string | null; reason: string | null }>(
    'select owner_id as owner, void_reason as reason from public.qr_codes where qr_id = $1',
    [code],
  );
  return row;
};

const ROUNDS = 20;

test('of a claim and a voiding of one code at once, exactly one wins', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const code = await issueTagCode(database);
    const claiming = () => (round % 4 < 2 ? claim(owner, code) : tag(owner, code));
    const acts = round % 2 === 0 ? [claiming, () => voidCode(code)] : [() => voidCode(code), claiming];
    const [one, other] = await Promise.allSettled(acts.map((act) => act()));
    const [claimed, voided] = round % 2 === 0 ? [one, other] : [other, one];
    if (claimed?.status === 'fulfilled') {
      expect(voided).toEqual({ status: 'fulfilled', value: 'claimed' });
      expect(await rowOf(code)).toEqual({ owner: owner.id, reason: null });
    } else {
      expect(claimed?.reason.message).toBe(NOT_ISSUED);
      expect(voided).toEqual({ status: 'fulfilled', value: 'voided' });
      expect(await rowOf(code)).toEqual({ owner: null, reason: 'Stolen' });
    }
  }
});

test('of claims during the voiding of a batch, each code is either claimed or void', async () => {
  const size = 60;
  const [batch] = await database.query<{ id: string }>(
    "insert into public.sticker_batches (label, issued_by, size) values ('Racing', 'olga', $1) returning id",
    [size],
  );
  const codes = Array.from({ length: size }, () => createTagCode());
  expect(await call(OPERATOR, 'public.issue_codes($1, 0, $2)', [batch?.id, codes])).toBe(size);
  const claims = codes.map((code) => claim(owner, code));
  const voiding = call(OPERATOR, 'public.void_batch($1, $2)', [batch?.id, 'Stolen']);
  const outcomes = await Promise.allSettled(claims);
  const claimed = outcomes.filter(({ status }) => status === 'fulfilled').length;
  expect(await voiding).toEqual({ voided: size - claimed, claimed });
  const rows = await database.query<{ is_one: boolean }>(
    'select (owner_id is null) = (void_reason is not null) as is_one from public.qr_codes where batch_id = $1',
    [batch?.id],
  );
  expect(rows).toEqual(Array(size).fill({ is_one: true }));
  await expect(call(OPERATOR, 'public.issue_codes($1, $2, $3)', [batch?.id, size, []])).rejects.toThrow('void');
});

async function issueBatch(size: number) {
  const [batch = expect.unreachable()] = await database.query<{ id: string; label: string }>(
    "insert into public.sticker_batches (label, issued_by, size) values ($1, 'olga', $2) returning id, label",
    [randomUUID(), size],
  );
  const codes = Array.from({ length: size }, () => createTagCode());
  await call(OPERATOR, 'public.issue_codes($1, 0, $2)', [batch.id, codes]);
  return { id: batch.id, codes };
}

const voidBatch = (id: string, reason: string, claimedToo = false) =>
  call(OPERATOR, 'public.void_batch($1, $2, $3)', [id, reason, claimedToo]);
const deleteItem = (by: TestOwner, code: string) =>
  actAs(database, by.caller, (client) => client.query('delete from public.items where qr_id = $1', [code]));

async function signedIn() {
  const leaver = await createOwner(database);
  const [session] = await database.query<{ id: string }>(
    'insert into auth.sessions (id, user_id, proved_at) values (gen_random_uuid(), $1, now()) returning id',
    [leaver.id],
  );
  const { claims, role } = leaver.caller;
  return { ...leaver, caller: { role, claims: { ...claims, session_id: session?.id } } };
}

/** How an owner gives up a code, or several of one batch. The first is the code of an item. */
const GIVING_UP = {
  'its item is deleted': ({ caller }: TestOwner, [code]: readonly string[]) =>
    actAs(database, caller, (client) => client.query('delete from public.items where qr_id = $1', [code])),
  'it is taken off its item': ({ caller }: TestOwner, [code]: readonly string[]) =>
    call(caller, 'public.detach_qr_code($1)', [code]),
  'it is discarded without an item': ({ caller }: TestOwner, [, , code]: readonly string[]) =>
    call(caller, 'public.discard_blank_codes($1)', [[code]]),
  'its owner deletes the account': ({ caller }: TestOwner) => call(caller, 'public.delete_my_account()', []),
  'an operator deletes the account': ({ id }: TestOwner) =>
    database.query('delete from auth.users where id = $1', [id]),
};

/** Three codes of a batch: of an item, a further one of that item, and one without an item. */
async function threeClaimed() {
  const leaver = await signedIn();
  const { id, codes } = await issueBatch(3);
  const [own = '', further = '', blank = ''] = codes;
  await tag(leaver, own);
  await actAs(database, leaver.caller, (client) =>
    client.query('select public.attach_qr_code($1, (select id from public.items where qr_id = $2))', [further, own]),
  );
  await claim(leaver, blank);
  return { leaver, batch: id, codes };
}

test.each(Object.entries(GIVING_UP))('a spared code of a void batch is void once %s', async (_, giveUp) => {
  const { leaver, batch, codes } = await threeClaimed();
  expect(await voidBatch(batch, 'A box was stolen')).toEqual({ voided: 0, claimed: 3 });
  await giveUp(leaver, codes);

  const rows = await Promise.all(codes.map(rowOf));
  const freed = codes.filter((_code, index) => rows[index]?.owner === null);
  expect(freed.length).toBeGreaterThan(0);
  for (const row of rows) expect(row?.reason).toBe(row?.owner === null ? 'A box was stolen' : null);
  for (const code of freed) {
    expect(await call(owner.caller, 'public.can_claim_code($1)', [code])).toBe(false);
    await expect(claim(owner, code)).rejects.toThrow(NOT_ISSUED);
    await expect(tag(owner, code)).rejects.toThrow(NOT_ISSUED);
  }

  expect(await call(OPERATOR, 'public.restore_batch($1)', [batch])).toBe(freed.length);
  for (const code of freed) await claim(owner, code);
});

/** Starts `second` while the transaction of `first` is open, waits until it is blocked, runs `last`, and commits. */
async function whileOpen(
  first: (client: PoolClient) => Promise<unknown>,
  second: () => Promise<unknown>,
  last: (client: PoolClient) => Promise<unknown> = async () => undefined,
) {
  let blocked: Promise<unknown> = Promise.resolve();
  await actAs(database, OPERATOR, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await first(client);
    blocked = second();
    blocked.catch(() => undefined);
    const waiting = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
    await expect.poll(() => database.query(waiting, [rows[0]?.pid])).toHaveLength(1);
    await last(client);
  });
  await blocked;
}

test('of a code that is freed and the voiding of its batch at once, the second sees the first', async () => {
  for (const isFreedFirst of [true, false]) {
    const { id, codes } = await issueBatch(1);
    const [code = ''] = codes;
    await tag(owner, code);
    if (isFreedFirst) {
      await whileOpen(
        (client) => client.query('delete from public.items where qr_id = $1', [code]),
        () => voidBatch(id, 'Stolen'),
      );
    } else {
      await whileOpen(
        (client) => client.query('select public.void_batch($1, $2)', [id, 'Stolen']),
        () => deleteItem(owner, code),
      );
    }
    expect(await rowOf(code)).toEqual({ owner: null, reason: 'Stolen' });
  }
});

test.each(Object.entries(GIVING_UP))(
  'voiding a batch with its claimed codes does not wait for the owner of one: %s',
  async (_, giveUp) => {
    const { leaver, batch, codes } = await threeClaimed();
    await whileOpen(
      (client) => client.query('select from public.sticker_batches where id = $1 for update', [batch]),
      async () => giveUp(leaver, codes),
      async (client) => {
        await client.query("set local lock_timeout = '500ms'");
        await client.query('select public.void_batch($1, $2, true)', [batch, 'Stolen']);
      },
    );
    expect((await Promise.all(codes.map(rowOf))).map((row) => row?.reason)).toEqual(Array(3).fill('Stolen'));
  },
);

test('each code of a batch that is voided in two steps has the reason of its own, and the batch the latest', async () => {
  const { id, codes } = await issueBatch(3);
  const [free = '', claimed = '', alone = ''] = codes;
  await tag(owner, claimed);
  await voidCode(alone);
  expect(await voidBatch(id, 'A box was stolen')).toEqual({ voided: 1, claimed: 1 });
  expect(await voidBatch(id, 'The address is wrong', true)).toEqual({ voided: 1, claimed: 0 });
  expect(await rowOf(free)).toEqual({ owner: null, reason: 'A box was stolen' });
  expect(await rowOf(claimed)).toEqual({ owner: owner.id, reason: 'The address is wrong' });
  const [batch] = await database.query('select void_reason from public.sticker_batches where id = $1', [id]);
  expect(batch).toEqual({ void_reason: 'The address is wrong' });

  expect(await call(OPERATOR, 'public.restore_batch($1)', [id])).toBe(2);
  expect(await Promise.all([free, claimed, alone].map(rowOf))).toEqual([
    { owner: null, reason: null },
    { owner: owner.id, reason: null },
    { owner: null, reason: 'Stolen' },
  ]);
});

test('deleting its item never frees a void code, and neither does deleting the account', async () => {
  const leaver = await createOwner(database);
  const issued = await issueTagCode(database);
  const [own, kept] = [createTagCode(), createTagCode()];
  for (const code of [issued, own, kept]) {
    await tag(leaver, code);
    expect(await voidCode(code, true)).toBe('voided');
  }
  await actAs(database, leaver.caller, (client) =>
    client.query('delete from public.items where qr_id in ($1, $2)', [issued, own]),
  );
  await database.query('delete from auth.users where id = $1', [leaver.id]);
  for (const code of [issued, own, kept]) {
    expect(await rowOf(code)).toEqual({ owner: null, reason: 'Stolen' });
    await expect(claim(owner, code)).rejects.toThrow(NOT_ISSUED);
    await expect(tag(owner, code)).rejects.toThrow(NOT_ISSUED);
  }
  // Restored, each is as if it had never been void: free, or forgotten where the service did not issue it.
  for (const code of [issued, own]) expect(await restoreCode(code)).toBe(true);
  expect(await rowOf(issued)).toEqual({ owner: null, reason: null });
  expect(await rowOf(own)).toBeUndefined();
  await claim(owner, issued);
});

test('a code of an account that is restored is the account’s as before', async () => {
  const code = await issueTagCode(database);
  await tag(owner, code);
  await voidCode(code, true);
  expect(await call(owner.caller, 'public.find_item($1)', [code])).toBeNull();
  await restoreCode(code);
  expect(await rowOf(code)).toEqual({ owner: owner.id, reason: null });
  expect(await call(owner.caller, 'public.find_item($1)', [code])).toMatchObject({ item_name: 'Keys' });
  const entries = await database.query(
    "select event, details from auth.audit_log where user_id = $1 and event like 'codes_%' order by id desc limit 2",
    [owner.id],
  );
  expect(entries).toEqual([
    { event: 'codes_restored', details: { codes: 1 } },
    { event: 'codes_voided', details: { codes: 1 } },
  ]);
});

/** The settings of a connection of a service with CLAIMABLE_CODES=issued, in production and in development. */
const CLOSED = "select set_config('reunite.claimable_codes', 'issued', true)";
const DEVELOPMENT = "select set_config('reunite.development', 'on', true)";

test('a closed service lets only issued codes be claimed, and every code keeps its owner', async () => {
  const before = createTagCode();
  await claim(owner, before);
  await claim(owner, await issueTagCode(database), CLOSED);
  await claim(owner, before, CLOSED);
  for (const settings of [[CLOSED], [CLOSED, DEVELOPMENT]]) {
    await expect(claim(owner, createTagCode(), ...settings)).rejects.toThrow(NOT_ISSUED);
  }
  // A row without an owner that was never issued, as an administrator's deletion of an account leaves it.
  const left = createTagCode();
  await database.query('insert into public.qr_codes (qr_id) values ($1)', [left]);
  await expect(claim(owner, left, CLOSED)).rejects.toThrow(NOT_ISSUED);
  const canClaim = (code: string) => call(owner.caller, 'public.can_claim_code($1)', [code], [CLOSED]);
  expect(await Promise.all([before, left, createTagCode()].map(canClaim))).toEqual([true, false, false]);

  const own = await call(owner.caller, 'public.claim_new_code($1)', [randomUUID()], [CLOSED]);
  expect(await canClaim(own)).toBe(true);
});
