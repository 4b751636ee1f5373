import { describe, expect, test } from 'vitest';
import { rehearse } from '#tests/support/act-as.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { attempt, contentOfAll } from './attempt.ts';
import { readRelations } from './our-catalogue.ts';
import { type CallerName, callerOf, type Seed, seed } from './seed.ts';

/**
 * Taking what belongs to another account, or giving something to one. Each attempt is refused, and every row of every
 * table stays unchanged.
 */
const database = await createTestDatabase();
const seeded = await seed(database);
const relations = await readRelations(database);

interface Forgery {
  readonly what: string;
  /** Done first by the account that migrated; its parameters are those of the statement. */
  readonly given?: string;
  readonly as: CallerName;
  readonly statement: string;
  readonly values: (seed: Seed) => readonly unknown[];
  /** How it is refused; null where it is permitted and must reach no row. */
  readonly refused: string | null;
}

const FRESH_CODE = createTagCode();
const TAG = `insert into public.items (qr_id, user_id, item_type, item_name) values ($1, $2, 'keys', 'Mine now')`;

const FORGERIES: readonly Forgery[] = [
  {
    what: 'tagging for another account',
    as: 'stranger',
    statement: TAG,
    values: ({ owner }) => [FRESH_CODE, owner.account.id],
    refused: 'row security',
  },
  {
    what: 'tagging a code that has an item',
    as: 'stranger',
    statement: TAG,
    values: ({ owner, stranger }) => [owner.item.qrId, stranger.id],
    refused: '23505',
  },
  {
    what: 'tagging a code that another account has claimed',
    as: 'stranger',
    statement: TAG,
    values: ({ owner, stranger }) => [owner.spareCode, stranger.id],
    refused: '23505',
  },
  {
    what: 'tagging without an account',
    as: 'anon',
    statement: TAG,
    values: ({ owner }) => [FRESH_CODE, owner.account.id],
    refused: 'no privilege',
  },
  {
    what: 'taking over an item by inserting it again',
    as: 'stranger',
    statement: `${TAG} on conflict (qr_id) do update set item_name = excluded.item_name`,
    values: ({ owner, stranger }) => [owner.item.qrId, stranger.id],
    refused: '23505',
  },
  {
    what: 'giving an item to another account',
    as: 'owner',
    statement: 'update public.items set user_id = $1',
    values: ({ stranger }) => [stranger.id],
    refused: 'no privilege',
  },
  {
    what: "moving an item to another account's code",
    as: 'owner',
    statement: 'update public.items set qr_id = $1',
    values: ({ bystander }) => [bystander.spareCode],
    refused: 'no privilege',
  },
  {
    what: "renaming another account's item",
    as: 'stranger',
    statement: "update public.items set item_name = 'Mine now' where qr_id = $1",
    values: ({ owner }) => [owner.item.qrId],
    refused: null,
  },
  {
    what: "deleting another account's item",
    as: 'stranger',
    statement: 'delete from public.items where qr_id = $1',
    values: ({ owner }) => [owner.item.qrId],
    refused: null,
  },
  {
    what: 'registering a code for another account',
    as: 'stranger',
    statement: 'select public.register_qr_code($1, $2)',
    values: ({ issuedCode, owner }) => [issuedCode, owner.account.id],
    refused: 'no privilege',
  },
  {
    what: 'registering a code as a visitor',
    as: 'anon',
    statement: 'select public.register_qr_code($1, null)',
    values: ({ issuedCode }) => [issuedCode],
    refused: 'no privilege',
  },
  {
    what: 'a visitor creating the missing profile of an owner',
    given: 'delete from public.profiles where id = $1',
    as: 'anon',
    statement: "insert into public.profiles (id, full_name) values ($1, 'Item Owner')",
    values: ({ owner }) => [owner.account.id],
    refused: 'no privilege',
  },
  {
    what: 'a stranger creating the missing profile of an owner',
    given: 'delete from public.profiles where id = $1',
    as: 'stranger',
    statement: "insert into public.profiles (id, full_name) values ($1, 'Item Owner')",
    values: ({ bystander }) => [bystander.account.id],
    refused: 'row security',
  },
  {
    what: "changing an address in one's own profile without proving it",
    as: 'owner',
    statement: 'update public.profiles set email = $1',
    values: ({ bystander }) => [bystander.account.email],
    refused: 'no privilege',
  },
  {
    what: 'creating the profile of another account',
    as: 'owner',
    statement: 'update public.profiles set id = $1',
    values: ({ stranger }) => [stranger.id],
    refused: 'no privilege',
  },
  {
    what: 'inserting a message without the function',
    as: 'owner',
    statement: `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
      select conversation_id, item_id, owner_id, 'finder', 'Forged' from public.messages where id = $1`,
    values: ({ owner }) => [owner.messageId],
    refused: 'no privilege',
  },
  {
    what: "changing a finder's message",
    as: 'owner',
    statement: "update public.messages set body = 'Forged' where id = $1",
    values: ({ owner }) => [owner.messageId],
    refused: 'no privilege',
  },
];

describe.each(FORGERIES)('$what', ({ as, given, statement, values, refused }) => {
  test(`is refused to ${as} and changes nothing [C23]`, async () => {
    await rehearse(database, async (client) => {
      if (given !== undefined) await client.query(given, [...values(seeded)]);
      const before = await contentOfAll(client, relations);
      const outcome = await attempt(client, callerOf(as, seeded), statement, values(seeded));
      expect(outcome).toMatchObject({ refused, rowCount: 0 });
      expect(await contentOfAll(client, relations)).toEqual(before);
    });
  });
});
