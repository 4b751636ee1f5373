import { expect } from 'vitest';
import {
  ALL_ROLES,
  changes,
  type FunctionCase,
  type FunctionPolicy,
  refused,
  returns,
  SERVICE,
  SIGNED_IN,
} from '../function-policy.ts';
import { CALLERS, returnKeyOf, type SeededOwner } from '../seed.ts';

/** The further arguments of a reply that is a text alone. */
const NO_PHRASE = ['text', null, null, null, null, null, null];

const MESSAGE = 'b0c1ce52-4a1e-4a6b-8f0a-2f3a5a1e77d2';

/** The arguments of `take_back_item`; with thanks, note and reward are cleared too. */
const takeBack = (
  itemId: string,
  conversationId: string | null,
  thanks: string | null = null,
  thanked: string | null = null,
) => [itemId, conversationId, thanks !== null, thanks !== null, thanks, null, thanked, null];

/** All that an owner's list shows of a conversation. */
const rowOf = ({ conversationId, item }: SeededOwner) => ({
  id: conversationId,
  item_id: item.id,
  qr_id: item.qrId,
  item_type: 'keys',
  item_name: item.itemName,
  photo: null,
  newest_at: expect.any(String),
  is_waiting: true,
  is_unread: true,
  returned_at: null,
  muted_at: null,
  blocked_at: null,
  newest: {
    sender: 'finder',
    by_contact: false,
    body: 'I found it',
    kind: 'text',
    place: null,
    latitude: null,
    longitude: null,
    location_exact: null,
    moment: null,
    time_zone: null,
    desk: null,
    amount: null,
    currency: null,
    language: null,
  },
});

/** Both directions of a conversation: the owner's by the account, the finder's by the key. */
export const CONVERSATION_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.count_unread()': {
    executableBy: SIGNED_IN,
    cases: [
      { as: 'owner', shows: 'their own', given: () => [], outcome: returns(({ owner }) => ({ [owner.item.id]: 1 })) },
      { as: 'stranger', shows: 'none', given: () => [], outcome: returns(() => ({})) },
      { as: 'service', shows: 'it has no account', given: () => [], outcome: returns(() => ({})) },
    ],
  },
  'public.item_news()': {
    executableBy: SIGNED_IN,
    cases: [
      {
        as: 'owner',
        shows: 'their own',
        given: () => [],
        outcome: returns(({ owner: { item } }) => ({ unread: { [item.id]: 1 }, waiting: [item.id] })),
      },
      { as: 'stranger', shows: 'none', given: () => [], outcome: returns(() => ({ unread: {}, waiting: [] })) },
      {
        as: 'service',
        shows: 'it has no account',
        given: () => [],
        outcome: returns(() => ({ unread: {}, waiting: [] })),
      },
    ],
  },
  'public.list_conversations(timestamp with time zone, uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'their own, without the finder’s key',
        given: () => [null, null],
        outcome: returns(({ owner }) => ({ conversations: [rowOf(owner)], has_more: false })),
      },
      {
        as: 'owner',
        shows: 'none that were written to later',
        given: () => ['2000-01-01T00:00:00Z', MESSAGE],
        outcome: returns(() => ({ conversations: [], has_more: false })),
      },
      ...(['stranger', 'service'] as const).map((as) => ({
        as,
        shows: 'none',
        given: () => [null, null],
        outcome: returns(() => ({ conversations: [], has_more: false })),
      })),
    ],
  },
  'public.confirm_delivery()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: "the caller's unread messages are delivered, and no others",
        given: () => [],
        outcome: changes(
          'select array_agg(id order by id) from public.conversations where shown_until is not null',
          () => [],
          ({ owner }) => [owner.conversationId],
        ),
      },
      { as: 'stranger', shows: 'none', given: () => [], outcome: returns(() => null) },
      { as: 'service', shows: 'it has no account', given: () => [], outcome: returns(() => null) },
    ],
  },
  'internal.progress_of_conversation(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a message that has just arrived',
        given: ({ owner }) => [owner.conversationId],
        outcome: returns(() => ({ state: 'sent', seen_at: null })),
      },
      {
        as: 'service',
        shows: 'nothing of a conversation that is gone',
        given: () => [MESSAGE],
        outcome: returns(() => null),
      },
    ],
  },
  'internal.disclosed_at(timestamp with time zone, timestamp with time zone)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the first full hour at which the message is an hour old',
        given: () => ['2027-05-03T14:59:40Z', '2027-05-03T14:59:10Z'],
        outcome: returns(() => new Date('2027-05-03T16:00:00Z')),
      },
      {
        as: 'service',
        shows: 'the next full hour for an older message',
        given: () => ['2027-05-03T17:20:00Z', '2027-05-03T14:01:00Z'],
        outcome: returns(() => new Date('2027-05-03T18:00:00Z')),
      },
    ],
  },
  'public.send_reply(uuid, text, uuid, text, text, timestamp with time zone, text, numeric, text, text)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'a reply is in the conversation, trimmed',
        given: ({ owner }) => [owner.conversationId, '  Thank you! \r\n', MESSAGE, ...NO_PHRASE],
        outcome: changes(
          "select concat_ws('/', conversation_id, item_id, owner_id, sender, body) from public.messages where id = $1",
          () => [MESSAGE],
          ({ owner }) => `${owner.conversationId}/${owner.item.id}/${owner.account.id}/owner/Thank you!`,
        ),
      },
      ...(['stranger', 'service'] as const).map(
        (as): FunctionCase => ({
          as,
          shows: "no reply in an owner's name",
          given: ({ owner }) => [owner.conversationId, 'Thank you!', MESSAGE, ...NO_PHRASE],
          outcome: refused('PT404'),
        }),
      ),
      {
        as: 'owner',
        shows: "no reply in another owner's conversation",
        given: ({ bystander }) => [bystander.conversationId, 'Thank you!', MESSAGE, ...NO_PHRASE],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'no reply of 251 code points',
        given: ({ owner }) => [owner.conversationId, '😀'.repeat(251), MESSAGE, ...NO_PHRASE],
        outcome: refused('22023'),
      },
      {
        as: 'owner',
        shows: 'no reply of invisible characters',
        given: ({ owner }) => [owner.conversationId, '\u200b \n', MESSAGE, ...NO_PHRASE],
        outcome: refused('22023'),
      },
      {
        as: 'owner',
        shows: "no reply under the id of the finder's message",
        given: ({ owner }) => [owner.conversationId, 'I found it', owner.messageId, ...NO_PHRASE],
        outcome: refused('23505'),
      },
      {
        as: 'owner',
        shows: "no reply under the id of another account's message",
        given: ({ owner, bystander }) => [owner.conversationId, 'I found it', bystander.messageId, ...NO_PHRASE],
        outcome: refused('23505'),
      },
      {
        as: 'owner',
        shows: 'a phrase with its fields, without a word',
        given: ({ owner }) => [
          ...[owner.conversationId, '', MESSAGE, 'can_come', 'Gate 4', '2026-11-30T17:00+02:00', 'Asia/Jerusalem'],
          ...[null, null, 'he'],
        ],
        outcome: changes(
          "select concat_ws('/', kind, place, moment at time zone 'UTC', time_zone, language) from public.messages where id = $1",
          () => [MESSAGE],
          () => 'can_come/Gate 4/2026-11-30 15:00:00/Asia/Jerusalem/he',
        ),
      },
      ...(['can_post', 'have_it', 'please_leave'] as const).map(
        (kind): FunctionCase => ({
          as: 'owner',
          shows: `no ${kind}, which is the finder's or lacks its field`,
          given: ({ owner }) => [owner.conversationId, '', MESSAGE, kind, ...NO_PHRASE.slice(1)],
          outcome: refused('23514'),
        }),
      ),
    ],
  },

  'public.take_back_item(uuid, uuid, boolean, boolean, text, uuid, uuid, text)': {
    executableBy: SIGNED_IN,
    cases: [
      ...(['its conversation', 'no conversation'] as const).map(
        (named): FunctionCase => ({
          as: 'owner',
          shows: `the item is not lost any more, and its conversation is returned; named: ${named}`,
          given: ({ owner }) => takeBack(owner.item.id, named === 'its conversation' ? owner.conversationId : null),
          outcome: changes(
            'select returned_at is not null from public.conversations where id = $1',
            ({ owner }) => [owner.conversationId],
            () => true,
          ),
        }),
      ),
      {
        as: 'owner',
        shows: "no other owner's finder is thanked",
        given: ({ owner, bystander }) => takeBack(owner.item.id, null, 'Thank you', bystander.conversationId),
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'no thanks without a conversation',
        given: ({ owner }) => takeBack(owner.item.id, null, 'Thank you'),
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: "no other owner's conversation ends",
        given: ({ owner, bystander }) => takeBack(owner.item.id, bystander.conversationId),
        outcome: refused('PT404'),
      },
      ...(['owner', 'stranger', 'service'] as const).map(
        (as): FunctionCase => ({
          as,
          shows: "no other owner's item is taken back",
          given: ({ bystander }) => takeBack(bystander.item.id, null),
          outcome: refused('PT404'),
        }),
      ),
    ],
  },

  'public.read_conversation(text, text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: CALLERS.flatMap((as): FunctionCase[] => [
      {
        as,
        shows: 'nothing without the key',
        given: ({ owner }) => [owner.item.qrId, null],
        outcome: returns(() => null),
      },
      {
        as,
        shows: "nothing with another conversation's key",
        given: ({ owner, bystander }) => [owner.item.qrId, bystander.finderKey],
        outcome: returns(() => null),
      },
      {
        as,
        shows: 'nothing with the key and another code',
        given: ({ owner, bystander }) => [bystander.item.qrId, owner.finderKey],
        outcome: returns(() => null),
      },
      {
        as,
        shows: "nothing with another conversation's return key",
        given: ({ owner, bystander }) => [owner.item.qrId, returnKeyOf(bystander.finderKey)],
        outcome: returns(() => null),
      },
    ]),
  },

  'public.list_return_codes(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'the conversations about the item, which the service gives their codes',
        given: ({ owner }) => [owner.item.id],
        outcome: returns(({ owner }) => [{ conversation_id: owner.conversationId, qr_id: owner.item.qrId }]),
      },
      {
        as: 'owner',
        shows: "nothing of another owner's item",
        given: ({ bystander }) => [bystander.item.id],
        outcome: returns(() => []),
      },
      ...(['stranger', 'service'] as const).map(
        (as): FunctionCase => ({
          as,
          shows: 'not without a session',
          given: ({ owner }) => [owner.item.id],
          outcome: refused('PT403'),
        }),
      ),
    ],
  },

  'internal.is_muted(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a conversation is not muted at first',
        given: ({ owner }) => [owner.conversationId],
        outcome: returns(() => false),
      },
    ],
  },

  'internal.conversation_was_moved(text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a key of no conversation that ended was not moved',
        given: ({ owner }) => [owner.item.qrId, 'no key of a finder'],
        outcome: returns(() => false),
      },
    ],
  },

  'internal.conversation_of_key(uuid, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the conversation of the key of the browser that wrote first',
        given: ({ owner }) => [owner.item.id, owner.finderKey],
        outcome: returns(({ owner }) => owner.conversationId),
      },
      {
        as: 'service',
        shows: 'the conversation of the return key',
        given: ({ owner }) => [owner.item.id, returnKeyOf(owner.finderKey)],
        outcome: returns(({ owner }) => owner.conversationId),
      },
      {
        as: 'service',
        shows: 'nothing about another item',
        given: ({ owner, bystander }) => [bystander.item.id, returnKeyOf(owner.finderKey)],
        outcome: returns(() => null),
      },
    ],
  },

  'internal.set_return_keys(uuid[], bytea[])': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'another key beside the stored one',
        given: ({ owner }) => [[owner.conversationId], [Buffer.from('another')]],
        outcome: changes(
          "select count(*)::integer from internal.return_keys where conversation_id = $1 and (key_hash = sha256(convert_to($2, 'UTF8')) or key_hash = 'another')",
          ({ owner }) => [owner.conversationId, returnKeyOf(owner.finderKey)],
          () => 2,
        ),
      },
      {
        as: 'service',
        shows: 'nothing for a conversation that is gone',
        given: () => [[MESSAGE], [Buffer.from('another')]],
        outcome: returns(() => null),
      },
    ],
  },

  'internal.repair_profile_of_owner(text)': {
    executableBy: SERVICE,
    actsAs: 'service_role',
    cases: [
      {
        as: 'service',
        shows: 'nothing to do if the profile exists',
        given: ({ owner }) => [owner.item.qrId],
        outcome: returns(() => false),
      },
      {
        as: 'service',
        shows: 'nothing to do for an unknown code',
        given: () => ['tgt-AAAAAAAAAAAAAAAA'],
        outcome: returns(() => false),
      },
    ],
  },
};
