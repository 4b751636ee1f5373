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
import { CALLERS, returnKeyOf } from '../seed.ts';

const MESSAGE = 'b0c1ce52-4a1e-4a6b-8f0a-2f3a5a1e77d2';

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
  'public.send_reply(uuid, text, uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'a reply is in the conversation, trimmed',
        given: ({ owner }) => [owner.conversationId, '  Thank you! \r\n', MESSAGE],
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
          given: ({ owner }) => [owner.conversationId, 'Thank you!', MESSAGE],
          outcome: refused('PT404'),
        }),
      ),
      {
        as: 'owner',
        shows: "no reply in another owner's conversation",
        given: ({ bystander }) => [bystander.conversationId, 'Thank you!', MESSAGE],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'no reply of 251 code points',
        given: ({ owner }) => [owner.conversationId, '😀'.repeat(251), MESSAGE],
        outcome: refused('22023'),
      },
      {
        as: 'owner',
        shows: 'no reply of invisible characters',
        given: ({ owner }) => [owner.conversationId, '\u200b \n', MESSAGE],
        outcome: refused('22023'),
      },
      {
        as: 'owner',
        shows: "no reply under the id of the finder's message",
        given: ({ owner }) => [owner.conversationId, 'I found it', owner.messageId],
        outcome: refused('23505'),
      },
      {
        as: 'owner',
        shows: "no reply under the id of another account's message",
        given: ({ owner, bystander }) => [owner.conversationId, 'I found it', bystander.messageId],
        outcome: refused('23505'),
      },
    ],
  },

  'public.take_back_item(uuid, uuid)': {
    executableBy: SIGNED_IN,
    cases: [
      ...(['its conversation', 'no conversation'] as const).map(
        (named): FunctionCase => ({
          as: 'owner',
          shows: `the item is not lost any more, and its conversation is returned; named: ${named}`,
          given: ({ owner }) => [owner.item.id, named === 'its conversation' ? owner.conversationId : null],
          outcome: changes(
            'select returned_at is not null from public.conversations where id = $1',
            ({ owner }) => [owner.conversationId],
            () => true,
          ),
        }),
      ),
      {
        as: 'owner',
        shows: "no other owner's conversation ends",
        given: ({ owner, bystander }) => [owner.item.id, bystander.conversationId],
        outcome: refused('PT404'),
      },
      ...(['owner', 'stranger', 'service'] as const).map(
        (as): FunctionCase => ({
          as,
          shows: "no other owner's item is taken back",
          given: ({ bystander }) => [bystander.item.id, null],
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
