import { expect, test } from 'vitest';
import { openDatabase } from '#server/postgres/database.ts';
import { actAs } from '#tests/support/act-as.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { rounds } from '#tests/support/long-runs.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const database = await createTestDatabase({ connections: 8 });
// Repeats a call after a deadlock, as the service does.
const served = openDatabase({ address: database.address, log: quietLog });
whenDone(() => served.close());
const OVER = 'No open offer to you has this id';

function call(owner: TestOwner, text: string, values: readonly unknown[]): Promise<unknown> {
  return served.asCaller(owner.caller, { text, values: [...values] });
}

async function offered(giver: TestOwner, receiver: TestOwner): Promise<TestItem & { offer: string; further: string }> {
  const item = await createItem(database, giver, { qrId: await issueTagCode(database) });
  const further = createTagCode();
  await call(giver, 'select public.attach_qr_code($1, $2)', [further, item.id]);
  const [made] = await actAs(database, giver.caller, async (client) => {
    const { rows } = await client.query('select public.offer_item($1, $2) as offer', [item.id, receiver.email]);
    return rows;
  });
  return { ...item, further, offer: made.offer.id };
}

const accept = (owner: TestOwner, { offer }: { offer: string }) =>
  call(owner, 'select public.accept_offer($1)', [offer]);

/** Who has the item, by each of the tables that say so. */
async function holdersOf({ qrId, further }: { readonly qrId: string; readonly further: string }): Promise<string[]> {
  const rows = await database.query<{ holder: string }>(
    `select user_id as holder from public.items where qr_id = $1
       union select owner_id from public.qr_codes where qr_id in ($1, $2) and owner_id is not null`,
    [qrId, further],
  );
  return rows.map(({ holder }) => holder);
}

function failures(outcomes: readonly PromiseSettledResult<unknown>[]): string[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []));
}

test('an offer that is accepted many times at once moves the item once', async () => {
  const [giver, receiver] = [await createOwner(database), await createOwner(database)];
  const item = await offered(giver, receiver);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => accept(receiver, item)));
  expect(failures(outcomes)).toEqual([]);
  expect(await holdersOf(item)).toEqual([receiver.id]);
  const rows = await database.query('select from public.items where user_id in ($1, $2)', [giver.id, receiver.id]);
  expect(rows).toHaveLength(2);
});

/** What happens to the offer or the item in the moment of its acceptance; the item is then in one place, whole. */
const MEANWHILE: Readonly<
  Record<string, (giver: TestOwner, item: TestItem & { offer: string; further: string }) => Promise<unknown>>
> = {
  'it is canceled': (giver, { offer }) => call(giver, 'delete from public.item_offers where id = $1', [offer]),
  'the item is deleted': (giver, { id }) => call(giver, 'delete from public.items where id = $1', [id]),
  'its code is voided': (_, { qrId }) => database.query("select public.void_code($1, 'Stolen', true)", [qrId]),
  'its code is removed': (giver, { qrId }) => call(giver, 'select public.detach_qr_code($1)', [qrId]),
  'a sticker is added': (giver, { id }) => call(giver, 'select public.attach_qr_code($1, $2)', [createTagCode(), id]),
  'the giver’s account is deleted': ({ id }) => database.query('delete from auth.users where id = $1', [id]),
  'a finder writes': (_, { further }) => database.query("select public.send_message($1, 'Found')", [further]),
};

test.each(Object.entries(MEANWHILE))(
  'of an acceptance and the moment in which %s, one comes first',
  async (name, act) => {
    for (const round of rounds(6, 60)) {
      const [giver, receiver] = [await createOwner(database), await createOwner(database)];
      const item = await offered(giver, receiver);
      // Either begins first.
      const early = round % 2 === 0 ? act(giver, item) : null;
      const acceptance = accept(receiver, item);
      const [accepted, acted] = await Promise.allSettled([acceptance, early ?? act(giver, item)]);
      // The giver’s call finds no item of theirs after the acceptance, and fails in no other way.
      if (acted?.status === 'rejected') expect(acted.reason).toMatchObject({ code: 'PT404' });
      const [own] = await database.query<{ qr_id: string }>('select qr_id from public.items where user_id = $1', [
        receiver.id,
      ]);
      if (accepted?.status === 'rejected') {
        expect([OVER, 'The code of this item is void']).toContain(accepted.reason.message);
        expect(own).toBeUndefined();
        expect(await holdersOf(item)).not.toContain(receiver.id);
        continue;
      }
      expect(own).toBeDefined();
      // Nothing of the item is anyone else's.
      const codes = await database.query<{ qr_id: string; owner_id: string }>(
        'select qr_id, owner_id from public.qr_codes where (qr_id = $1 or stands_for = $1) and owner_id is not null',
        [own?.qr_id],
      );
      expect(codes.length, name).toBeGreaterThanOrEqual(1);
      expect(new Set(codes.map(({ owner_id }) => owner_id)), name).toEqual(new Set([receiver.id]));
      const messages = await database.query(
        `select message.owner_id = item.user_id as fits from public.messages as message
         join public.items as item on item.id = message.item_id where message.owner_id in ($1, $2)`,
        [giver.id, receiver.id],
      );
      expect(messages.every(({ fits }) => fits === true)).toBe(true);
    }
  },
);

test('two accounts that give each other an item at once both have the other’s', async () => {
  for (const _ of rounds(6, 60)) {
    const [one, other] = [await createOwner(database), await createOwner(database)];
    const [first, second] = [await offered(one, other), await offered(other, one)];
    expect(failures(await Promise.allSettled([accept(other, first), accept(one, second)]))).toEqual([]);
    expect([await holdersOf(first), await holdersOf(second)]).toEqual([[other.id], [one.id]]);
  }
});

test('an account has twenty open offers, also where many are made at once', async () => {
  const giver = await createOwner(database);
  const items = await Promise.all(Array.from({ length: 24 }, () => createItem(database, giver)));
  const outcomes = await Promise.allSettled(
    items.map(({ id }) => call(giver, 'select public.offer_item($1, $2)', [id, 'somebody@example.com'])),
  );
  expect(failures(outcomes)).toEqual(Array(4).fill('An account has at most 20 open offers'));
});

test('an item that is offered many times at once has one offer and one email', async () => {
  const giver = await createOwner(database);
  const { id } = await createItem(database, giver);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => call(giver, 'select public.offer_item($1, $2)', [id, 'one@example.com'])),
  );
  expect(failures(outcomes)).toEqual([]);
  const offers = await database.query<{ id: string }>('select id from public.item_offers where item_id = $1', [id]);
  expect(offers).toHaveLength(1);
  const jobs = "select from graphile_worker.jobs where key = 'send_offer_mail:offer:' || $1";
  expect(await database.query(jobs, [offers[0]?.id])).toHaveLength(1);
});
