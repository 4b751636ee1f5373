import { expect } from 'vitest';
import { changes, type FunctionPolicy, refused, returns, SERVICE, SIGNED_IN } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

const JOBS = "select count(*)::int from graphile_worker.jobs where task_identifier = 'send_offer_mail'";
const HOLDER = 'select user_id from public.items where qr_id = $1';
const ADDRESS = 'somebody@example.com';

const itemOf = ({ owner }: Seed) => [owner.item.qrId];
/** The owner is offered the bystander's item. */
const toOwner = ({ bystander }: Seed) => [bystander.offer];
const madeByOwner = ({ owner }: Seed) => [owner.offer];
/** What the owner reads of their record. */
const recordOf = ({ owner }: Pick<Seed, 'owner'>) => ({
  id: owner.given,
  item_type: 'book',
  item_name: 'A book',
  given_at: expect.any(String),
  email: null,
  has_messages: false,
});

/** Giving an item to another account. */
export const OFFER_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.offer_item(uuid, text)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'an item is offered once: not to another address',
        given: ({ owner }) => [owner.item.id, ADDRESS],
        outcome: refused('PT409'),
      },
      {
        as: 'owner',
        shows: 'the same offer again changes nothing',
        given: ({ owner, bystander }) => [owner.item.id, bystander.account.email],
        outcome: returns(({ owner }) => ({ id: owner.offer, expires_at: expect.any(String) })),
      },
      {
        as: 'owner',
        shows: 'not the item of another account',
        given: ({ bystander }) => [bystander.item.id, ADDRESS],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'not an item that was given away',
        given: ({ owner }) => [owner.given, ADDRESS],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'not to the own address',
        given: ({ owner }) => [owner.item.id, owner.account.email.toUpperCase()],
        outcome: refused('22023'),
      },
      {
        as: 'owner',
        shows: 'not without an address',
        given: ({ owner }) => [owner.item.id, null],
        outcome: refused('22023'),
      },
      {
        as: 'service',
        shows: 'not by the service, which has no items',
        given: ({ owner }) => [owner.item.id, ADDRESS],
        outcome: refused('42501'),
      },
    ],
  },
  'public.accept_offer(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'an item that was offered to the address of the caller is theirs',
        given: toOwner,
        outcome: changes(
          HOLDER,
          ({ bystander }) => [bystander.item.qrId],
          ({ owner }) => owner.account.id,
          ({ bystander }) => ({ qr_id: bystander.item.qrId }),
        ),
      },
      { as: 'owner', shows: 'not an offer of their own', given: madeByOwner, outcome: refused('PT404') },
      { as: 'stranger', shows: 'not an offer to another address', given: toOwner, outcome: refused('PT404') },
      { as: 'owner', shows: 'not an offer that does not exist', given: () => [null], outcome: refused('PT404') },
      { as: 'service', shows: 'not by the service, which has no address', given: toOwner, outcome: refused('PT404') },
    ],
  },
  'public.decline_offer(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'an offer to the address of the caller ends',
        given: toOwner,
        outcome: changes('select declined_at is not null from public.item_offers where id = $1', toOwner, () => true),
      },
      { as: 'owner', shows: 'not an offer of their own', given: madeByOwner, outcome: refused('PT404') },
      { as: 'stranger', shows: 'not an offer to another address', given: toOwner, outcome: refused('PT404') },
      { as: 'service', shows: 'not by the service, which has no address', given: toOwner, outcome: refused('PT404') },
    ],
  },
  'public.list_transfers()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'the offers to the caller, without the giver’s id or code, and what the caller gave away',
        given: () => [],
        outcome: returns(({ owner, bystander }) => ({
          offers: [
            {
              id: bystander.offer,
              item_type: 'keys',
              item_name: bystander.item.itemName,
              photo: null,
              giver: bystander.account.fullName.split(' ')[0],
              expires_at: expect.any(String),
            },
          ],
          given: [recordOf({ owner })],
        })),
      },
      { as: 'stranger', shows: 'nothing', given: () => [], outcome: returns(() => ({ offers: [], given: [] })) },
      { as: 'service', shows: 'nothing', given: () => [], outcome: returns(() => ({ offers: [], given: [] })) },
    ],
  },
  'public.list_given_items(timestamp with time zone, uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'what the caller gave away',
        given: () => [null, null],
        outcome: returns((seed) => ({ given: [recordOf(seed)], has_more: false })),
      },
      {
        as: 'owner',
        shows: 'not what they gave away later',
        given: () => ['2000-01-01T00:00:00Z', crypto.randomUUID()],
        outcome: returns(() => ({ given: [], has_more: false })),
      },
      ...(['stranger', 'service'] as const).map((as) => ({
        as,
        shows: 'nothing',
        given: () => [null, null],
        outcome: returns(() => ({ given: [], has_more: false })),
      })),
    ],
  },
  'public.find_given_item(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'owner', shows: 'the caller’s record', given: ({ owner }) => [owner.given], outcome: returns(recordOf) },
      {
        as: 'owner',
        shows: 'not an item that they still own',
        given: ({ owner }) => [owner.item.id],
        outcome: returns(() => null),
      },
      ...(['stranger', 'service'] as const).map((as) => ({
        as,
        shows: 'not the record of another account',
        given: ({ owner }: Seed) => [owner.given],
        outcome: returns(() => null),
      })),
    ],
  },
  'internal.given_item(uuid)': {
    executableBy: SERVICE,
    cases: [{ as: 'service', shows: 'the record', given: ({ owner }) => [owner.given], outcome: returns(recordOf) }],
  },
  'public.delete_given_item(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'their record is gone',
        given: ({ owner }) => [owner.given],
        outcome: changes(
          'select count(*)::int from public.items where id = $1',
          ({ owner }) => [owner.given],
          () => 0,
        ),
      },
      {
        as: 'owner',
        shows: 'not an item that they still own',
        given: ({ owner }) => [owner.item.id],
        outcome: returns(() => null),
      },
      {
        as: 'stranger',
        shows: 'not the record of another account',
        given: ({ owner }) => [owner.given],
        outcome: returns(() => null),
      },
      {
        as: 'service',
        shows: 'not by the service, which has no items',
        given: ({ owner }) => [owner.given],
        outcome: returns(() => null),
      },
    ],
  },
  'internal.proved_address()': {
    executableBy: SERVICE,
    cases: [{ as: 'service', shows: 'it has none', given: () => [], outcome: returns(() => null) }],
  },
  'internal.enqueue_offer_mail(uuid, text)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: ({ owner }) => [owner.offer, 'offer'],
        outcome: changes(`${JOBS} and key = 'send_offer_mail:offer:' || $1`, madeByOwner, () => 1),
      },
    ],
  },
  'internal.enqueue_acceptance_mail(uuid, uuid, text, text)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: ({ owner }) => [owner.offer, owner.account.id, 'receiver@example.com', 'Keys'],
        outcome: changes(`${JOBS} and key = 'send_offer_mail:acceptance:' || $1`, madeByOwner, () => 1),
      },
    ],
  },
  'internal.may_give(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'an account that is neither deleted nor banned',
        given: ({ owner }) => [owner.account.id],
        outcome: returns(() => true),
      },
      {
        as: 'service',
        shows: 'not an account that does not exist',
        given: () => ['00000000-0000-4000-8000-000000000000'],
        outcome: returns(() => false),
      },
    ],
  },
  'internal.move_item(uuid, uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the code leads to the item of the new owner',
        given: ({ owner, stranger }) => [owner.item.id, stranger.id],
        outcome: changes(
          HOLDER,
          itemOf,
          ({ stranger }) => stranger.id,
          () => expect.any(String),
        ),
      },
    ],
  },
};
