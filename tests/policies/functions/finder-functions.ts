import { expect } from 'vitest';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import {
  ALL_ROLES,
  changes,
  type FunctionCase,
  type FunctionPolicy,
  refused,
  returns,
  SERVICE,
} from '../function-policy.ts';
import { CALLERS, type CallerName, type SeededOwner } from '../seed.ts';

const UNKNOWN_CODE = 'tgt-AAAAAAAAAAAAAAAA';
const MESSAGE = '4dd4ac13-4be2-4a8d-9a3c-6f5e1f3b7a01';

/** What a finder may know: no surname, address, number or id. */
function findersView({ item }: SeededOwner): object {
  return {
    item_type: 'keys',
    item_name: item.itemName,
    photo: null,
    owner_first_name: 'Olive',
    note_to_finders: null,
    reward: null,
    lost: false,
    has_contact_details: true,
    channels: { whatsapp: true, call: true, email: true, message: true },
  };
}

const NOT_NAMED_YET = { item_type: 'other', item_name: 'My Tagged Item' };

/** The arguments of a message that is a text alone. */
const NO_PHRASE = [null, null, null, null];
const NOTHING_MORE = ['text', null, null, null, false, ...NO_PHRASE];

/** Functions for finders without an account. */
export const FINDER_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.find_item(text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: CALLERS.flatMap((as): FunctionCase[] => [
      {
        as,
        shows: "the finder's view",
        given: ({ owner }) => [owner.item.qrId],
        outcome: returns(({ owner }) => findersView(owner)),
      },
      {
        as,
        shows: 'which contact methods the owner has closed',
        given: ({ bystander }) => [bystander.item.qrId],
        outcome: returns(({ bystander }) => ({
          ...findersView(bystander),
          channels: { whatsapp: false, call: false, email: false, message: false },
        })),
      },
      { as, shows: 'nothing for an unknown code', given: () => [UNKNOWN_CODE], outcome: returns(() => null) },
      { as, shows: 'nothing without a code', given: () => [null], outcome: returns(() => null) },
      {
        as,
        shows: 'nothing for an issued code that is not claimed',
        given: ({ issuedCode }) => [issuedCode],
        outcome: returns(() => null),
      },
      {
        as,
        shows: 'nothing for a void code with an item, not even to its owner',
        given: ({ voidCode }) => [voidCode.owned],
        outcome: returns(() => null),
      },
      {
        as,
        shows: 'for a claimed code without an item the values of its first item',
        given: ({ owner }) => [owner.spareCode],
        outcome: returns(({ owner }) => ({ ...findersView(owner), ...NOT_NAMED_YET })),
      },
    ]),
  },

  'public.find_typed_code(text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: CALLERS.flatMap((as): FunctionCase[] => [
      {
        as,
        shows: 'the tag code of an item',
        given: ({ owner }) => [typedCodeOf(owner.item.qrId)],
        outcome: returns(({ owner }) => owner.item.qrId),
      },
      {
        as,
        shows: 'an issued tag code that is not claimed, without hyphens too',
        given: ({ issuedCode }) => [typedCodeOf(issuedCode).replaceAll('-', '')],
        outcome: returns(({ issuedCode }) => issuedCode),
      },
      {
        as,
        shows: 'nothing for an unknown code',
        given: () => [typedCodeOf(UNKNOWN_CODE)],
        outcome: returns(() => null),
      },
      { as, shows: 'nothing for no code', given: () => [null], outcome: returns(() => null) },
      {
        as,
        shows: 'a void code only to its owner and to operators',
        given: ({ voidCode }) => [typedCodeOf(voidCode.owned)],
        outcome: returns(({ voidCode }) => (as === 'owner' || as === 'service' ? voidCode.owned : null)),
      },
    ]),
  },

  'internal.typed_code_of(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'what the product derives',
        given: () => [UNKNOWN_CODE],
        outcome: returns(() => typedCodeOf(UNKNOWN_CODE).replaceAll('-', '')),
      },
    ],
  },

  'public.get_qr_code_owner(text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: "the caller's own id for the caller's own code",
        given: ({ owner }) => [owner.item.qrId],
        outcome: returns(({ owner }) => owner.account.id),
      },
      ...CALLERS.flatMap((as): FunctionCase[] => [
        { as, shows: 'nothing for an unknown code', given: () => [UNKNOWN_CODE], outcome: returns(() => null) },
        {
          as,
          shows: 'nothing for an unclaimed code',
          given: ({ issuedCode }) => [issuedCode],
          outcome: returns(() => null),
        },
        {
          as,
          shows: 'a void code only to its owner',
          given: ({ voidCode }) => [voidCode.owned],
          outcome: returns(({ owner }) => (as === 'owner' ? owner.account.id : null)),
        },
      ]),
    ],
  },

  'public.check_user_exists(text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: CALLERS.flatMap((as): FunctionCase[] => [
      {
        as,
        shows: 'that a confirmed account exists, however the address is written',
        given: ({ owner }) => [` ${owner.account.email.toUpperCase()} `],
        outcome: returns(() => ({
          exists: true,
          message: 'An account with this email already exists. Please sign in instead.',
        })),
      },
      {
        as,
        shows: 'nothing for an unknown address',
        given: () => ['nobody@example.com'],
        outcome: returns(() => ({ exists: false, message: null })),
      },
      {
        as,
        shows: 'nothing without an address',
        given: () => [null],
        outcome: returns(() => ({ exists: false, message: null })),
      },
    ]),
  },

  'internal.clean_place(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'one line',
        given: () => [' Gate\r\n4\u202e '],
        outcome: returns(() => 'Gate 4'),
      },
    ],
  },

  'public.send_message(text, text, uuid, text, text, text, double precision, double precision, boolean, timestamp with time zone, text, text, text)':
    {
      executableBy: ALL_ROLES,
      actsAs: 'service_role',
      cases: [
        ...CALLERS.map(
          (as: CallerName): FunctionCase => ({
            as,
            shows: 'a message reaches the owner of the code, trimmed',
            given: ({ owner }) => [owner.item.qrId, '  Found it \n', MESSAGE, null, ...NOTHING_MORE],
            outcome: changes(
              "select concat_ws('/', owner_id, sender, body) from public.messages where id = $1",
              () => [MESSAGE],
              ({ owner }) => `${owner.account.id}/finder/Found it`,
            ),
          }),
        ),
        {
          as: 'anon',
          shows: 'a tap without text, with a place on one line and a location of about a kilometer',
          given: ({ owner }) => [
            owner.item.qrId,
            null,
            MESSAGE,
            null,
            'left_it',
            ' Gate\n4 ',
            32.08123,
            -34.78999,
            null,
            ...NO_PHRASE,
          ],
          outcome: changes(
            "select concat_ws('/', body, kind, place, latitude, longitude, location_exact) from public.messages where id = $1",
            () => [MESSAGE],
            () => '/left_it/Gate 4/32.08000/-34.79000/f',
          ),
        },
        {
          as: 'anon',
          shows: 'an exact location where the finder chose it',
          given: ({ owner }) => [
            ...[owner.item.qrId, 'Here', MESSAGE, null, 'text', null, 32.0812345, -34.78999, true],
            ...NO_PHRASE,
          ],
          outcome: changes(
            "select concat_ws('/', body, kind, latitude, longitude, location_exact) from public.messages where id = $1",
            () => [MESSAGE],
            () => 'Here/text/32.08123/-34.78999/t',
          ),
        },
        ...(
          [
            ['of an unknown kind', ['Found it', 'took_it', null, null, null]],
            ['with half a location', ['Found it', 'have_it', null, 1, null]],
            ['with a location beyond the poles', ['Found it', 'have_it', null, 90.1, 0]],
            ['with a location that is no number', ['Found it', 'have_it', null, 'NaN', 0]],
            ['with a place of 101 characters', ['Found it', 'have_it', '😀'.repeat(101), null, null]],
          ] as const
        ).map(
          ([what, [body, ...details]]): FunctionCase => ({
            as: 'anon',
            shows: `no message ${what}`,
            given: ({ owner }) => [owner.item.qrId, body, MESSAGE, null, ...details, false, ...NO_PHRASE],
            outcome: refused('22023'),
          }),
        ),
        {
          as: 'anon',
          shows: 'a phrase with its fields, without a word',
          given: ({ owner }) => [
            ...[owner.item.qrId, '', MESSAGE, null, 'can_bring', 'Gate 4', null, null, false],
            ...['2026-11-30T17:00+02:00', 'Asia/Jerusalem', null, 'he'],
          ],
          outcome: changes(
            "select concat_ws('/', kind, place, moment at time zone 'UTC', time_zone, language) from public.messages where id = $1",
            () => [MESSAGE],
            () => 'can_bring/Gate 4/2026-11-30 15:00:00/Asia/Jerusalem/he',
          ),
        },
        {
          as: 'anon',
          shows: 'no phrase of owners',
          given: ({ owner }) => [owner.item.qrId, '', MESSAGE, null, 'where', null, null, null, false, ...NO_PHRASE],
          outcome: refused('22023'),
        },
        {
          as: 'anon',
          shows: 'no phrase without the field that it is about',
          given: ({ owner }) => [
            owner.item.qrId,
            '',
            MESSAGE,
            null,
            'here_until',
            null,
            null,
            null,
            false,
            ...NO_PHRASE,
          ],
          outcome: refused('23514'),
        },
        {
          as: 'anon',
          shows: 'a message about a claimed code without an item creates the item and reaches its owner',
          given: ({ owner }) => [owner.spareCode, 'Found it', MESSAGE, null, ...NOTHING_MORE],
          outcome: changes(
            `select concat_ws('/', message.owner_id, item.user_id, item.qr_id, item.item_type, item.item_name)
             from public.messages as message join public.items as item on item.id = message.item_id
             where message.id = $1`,
            () => [MESSAGE],
            ({ owner: { account, spareCode } }) => `${account.id}/${account.id}/${spareCode}/other/My Tagged Item`,
          ),
        },
        {
          as: 'anon',
          shows: 'no message about an issued code that is not claimed',
          given: ({ issuedCode }) => [issuedCode, 'Found it', MESSAGE, null, ...NOTHING_MORE],
          outcome: refused('PT404'),
        },
        {
          as: 'anon',
          shows: 'no message about an unknown code',
          given: () => [UNKNOWN_CODE, 'Found it', MESSAGE, null, ...NOTHING_MORE],
          outcome: refused('PT404'),
        },
        {
          as: 'anon',
          shows: 'no message about a void code',
          given: ({ voidCode }) => [voidCode.owned, 'Found it', MESSAGE, null, ...NOTHING_MORE],
          outcome: refused('PT404'),
        },
        {
          as: 'anon',
          shows: 'no message where the owner takes none',
          given: ({ bystander }) => [bystander.item.qrId, 'Found it', MESSAGE, null, ...NOTHING_MORE],
          outcome: refused('PT403'),
        },
        {
          as: 'anon',
          shows: 'no message of blanks',
          given: ({ owner }) => [owner.item.qrId, ' \n\t ', MESSAGE, null, ...NOTHING_MORE],
          outcome: refused('22023'),
        },
        {
          as: 'anon',
          shows: 'no message of invisible characters',
          given: ({ owner }) => [owner.item.qrId, '\u00a0\u2003\u200b', MESSAGE, null, ...NOTHING_MORE],
          outcome: refused('22023'),
        },
        {
          as: 'anon',
          shows: 'no message of 251 code points',
          given: ({ owner }) => [owner.item.qrId, '😀'.repeat(251), MESSAGE, null, ...NOTHING_MORE],
          outcome: refused('22023'),
        },
        {
          as: 'anon',
          shows: 'no message under the id of another message',
          given: ({ owner, bystander }) => [owner.item.qrId, 'Found it', bystander.messageId, null, ...NOTHING_MORE],
          outcome: refused('23505'),
        },
      ],
    },

  // The redirect to a contact method: the only result with an address, for the service only.
  'internal.open_channel(text, text)': {
    executableBy: SERVICE,
    actsAs: 'service_role',
    cases: [
      {
        as: 'service',
        shows: 'the choice of a contact method is recorded',
        given: ({ owner }) => [owner.item.qrId, 'call'],
        outcome: changes(
          "select count(*)::int from public.channel_openings where owner_id = $1 and channel = 'call'",
          ({ owner }) => [owner.account.id],
          () => 1,
          ({ owner }) => owner.account.phone,
        ),
      },
      {
        as: 'service',
        shows: 'the choice of a contact method of a claimed code without an item is recorded',
        given: ({ owner }) => [owner.spareCode, 'call'],
        outcome: changes(
          `select count(*)::int from public.channel_openings as opening join public.items as item on item.id = opening.item_id
             where item.qr_id = $1 and opening.owner_id = $2`,
          ({ owner }) => [owner.spareCode, owner.account.id],
          () => 1,
          ({ owner }) => owner.account.phone,
        ),
      },
      {
        as: 'service',
        shows: 'no address for a code that is not claimed',
        given: ({ issuedCode }) => [issuedCode, 'call'],
        outcome: returns(() => null),
      },
      {
        as: 'service',
        shows: 'no address for a closed contact method, and no record',
        given: ({ bystander }) => [bystander.item.qrId, 'email'],
        outcome: returns(() => null),
      },
      {
        as: 'service',
        shows: 'no address for an unknown contact method',
        given: ({ owner }) => [owner.item.qrId, 'post'],
        outcome: returns(() => null),
      },
      {
        as: 'service',
        shows: 'no address for a void code',
        given: ({ voidCode }) => [voidCode.owned, 'call'],
        outcome: returns(() => null),
      },
      {
        as: 'service',
        shows: 'no address for an unknown code',
        given: () => [UNKNOWN_CODE, 'call'],
        outcome: returns(() => null),
      },
    ],
  },
  'internal.time_ordered_id()': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'an id that begins with its time',
        given: () => [],
        outcome: returns(() => expect.stringMatching(/^0[0-9a-f]{7}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)),
      },
    ],
  },
  'internal.trim_message(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'line breaks of a form as one character each, without surrounding blanks',
        given: () => ['\u200b\u00a0 At the desk.\r\nAsk for Noa \u2003\r\n'],
        outcome: returns(() => 'At the desk.\nAsk for Noa'),
      },
      { as: 'service', shows: 'nothing without an argument', given: () => [null], outcome: returns(() => null) },
    ],
  },
  'internal.trim_blanks(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a text without surrounding blanks',
        given: () => ['\u200b\u00a0\u0085 Olive\u00a0Owner\u2003\n'],
        outcome: returns(() => 'Olive\u00a0Owner'),
      },
    ],
  },
  'internal.first_name(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'no address in place of a name',
        given: () => ['olive@example.org'],
        outcome: returns(() => 'Item Owner'),
      },
      { as: 'service', shows: 'the first word', given: () => ['Olive Owner'], outcome: returns(() => 'Olive') },
      {
        as: 'service',
        shows: 'a placeholder without a name',
        given: () => [' '],
        outcome: returns(() => 'Item Owner'),
      },
    ],
  },
};
