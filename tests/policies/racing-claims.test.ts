import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

/** Many concurrent claims, each on its own connection: one wins, and the others get the specified error. */
const RIVALS = 16;

const database = await createTestDatabase({ connections: RIVALS });
const owners = await Promise.all(Array.from({ length: RIVALS }, () => createOwner(database)));

function tag(owner: TestOwner, qrId: string): Promise<unknown> {
  return actAs(database, owner.caller, (client) =>
    client.query("insert into public.items (qr_id, user_id, item_type, item_name) values ($1, $2, 'keys', 'Keys')", [
      qrId,
      owner.id,
    ]),
  );
}

function failures(outcomes: readonly PromiseSettledResult<unknown>[]): string[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []));
}

test.each([
  ['a code that the service issued', () => issueTagCode(database)],
  ['a new code', async () => createTagCode()],
])('of many owners who tag %s at once, one has it', async (_, makeCode) => {
  const qrId = await makeCode();
  const outcomes = await Promise.allSettled(owners.map((owner) => tag(owner, qrId)));
  expect(failures(outcomes)).toEqual(Array(RIVALS - 1).fill('This QR code is already tagged to an item'));

  const rows = await database.query(
    'select user_id = owner_id as holds from public.items join public.qr_codes using (qr_id) where qr_id = $1',
    [qrId],
  );
  expect(rows).toEqual([{ holds: true }]);
});

test('of many owners who register a code at once, one has it', async () => {
  const qrId = await issueTagCode(database);
  const outcomes = await Promise.allSettled(
    owners.map((owner) =>
      actAs(database, owner.caller, (client) =>
        client.query('select public.register_qr_code($1, $2)', [qrId, owner.id]),
      ),
    ),
  );
  expect(failures(outcomes)).toEqual(Array(RIVALS - 1).fill('This QR code is already registered to another account'));
});

test('of owners who tag a code and owners who put it on their item at once, one has it, in one place [K56]', async () => {
  const items = await Promise.all(owners.map((owner) => createItem(database, owner)));
  const qrId = await issueTagCode(database);
  const outcomes = await Promise.allSettled(
    owners.map((owner, index) =>
      index % 2 === 0
        ? tag(owner, qrId)
        : actAs(database, owner.caller, (client) =>
            client.query('select public.attach_qr_code($1, $2)', [qrId, items[index]?.id]),
          ),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const [winner] = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
  expect(
    await database.query(
      `select owner_id, stands_for, (select count(*)::integer from public.items where qr_id = $1) as items
         from public.qr_codes where qr_id = $1`,
      [qrId],
    ),
  ).toEqual([
    winner !== undefined && winner % 2 === 1
      ? { owner_id: owners[winner]?.id, stands_for: items[winner]?.qrId, items: 0 }
      : { owner_id: owners[winner ?? -1]?.id, stands_for: null, items: 1 },
  ]);
});

test('of many stickers that go onto one item at once, it has as many as fit [K56]', async () => {
  const [owner = await createOwner(database)] = owners;
  const item = await createItem(database, owner);
  const attach = (qrId: string) =>
    actAs(database, owner.caller, (client) => client.query('select public.attach_qr_code($1, $2)', [qrId, item.id]));
  const codes = Array.from({ length: 24 }, createTagCode);
  const outcomes = await Promise.allSettled(codes.map(attach));
  expect(failures(outcomes)).toEqual(Array(5).fill('The item has no room left for another sticker'));
  expect(
    await database.query('select from public.qr_codes where owner_id = $1 and stands_for = $2', [owner.id, item.qrId]),
  ).toHaveLength(19);
});

test('one owner who tags a code many times at once has one item', async () => {
  const [owner = await createOwner(database)] = owners;
  const qrId = createTagCode();
  const outcomes = await Promise.allSettled(owners.map(() => tag(owner, qrId)));
  expect(failures(outcomes)).toEqual(Array(RIVALS - 1).fill('This QR code is already tagged to an item'));
});

test('a message that a bad connection sends many times at once arrives once', async () => {
  const [owner = await createOwner(database)] = owners;
  const item = await createItem(database, owner);
  const message = randomUUID();
  const key = randomUUID();
  const responses = await Promise.all(
    owners.map(() =>
      actAs(database, VISITOR, async (client) => {
        const { rows } = await client.query('select public.send_message($1, $2, $3, $4) as sent', [
          item.qrId,
          'Found it',
          message,
          key,
        ]);
        return rows[0]?.sent;
      }),
    ),
  );
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  const kept = await database.query<{ messages: number; conversations: number }>(
    `select (select count(*) from public.messages where item_id = $1)::int as messages,
       (select count(*) from public.conversations where item_id = $1)::int as conversations`,
    [item.id],
  );
  expect(kept).toEqual([{ messages: 1, conversations: 1 }]);
});

test('a deleted item frees its code for another account', async () => {
  const [first = await createOwner(database), second = await createOwner(database)] = owners;
  const qrId = await issueTagCode(database);
  await tag(first, qrId);
  await actAs(database, first.caller, (client) => client.query('delete from public.items where qr_id = $1', [qrId]));
  await tag(second, qrId);
  const rows = await database.query('select owner_id from public.qr_codes where qr_id = $1', [qrId]);
  expect(rows).toEqual([{ owner_id: second.id }]);
});
