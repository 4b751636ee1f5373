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
import { CALLERS, type Seed } from '../seed.ts';

const STRONG_CODE = 'tgt-0123456789abcdef';
const WEAK_CODE = 'tgt-guessable';
const HOLDER = 'select owner_id from public.qr_codes where qr_id = $1';

const OWN_CODE = 'select stands_for from public.qr_codes where qr_id = $1';

const issued = ({ issuedCode }: Seed) => [issuedCode];
const spare = ({ owner }: Seed) => [owner.spareCode];
/** The id of a request for blank codes. */
const REQUEST = '6f0a3c5e-9d2b-4c1f-8a7e-5b3d1f0c9e82';

/** Making a code one's own. */
export const CLAIMING_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.save_items(jsonb)': {
    executableBy: SIGNED_IN,
    cases: [
      {
        as: 'owner',
        shows: "a new item of the caller's, with an issued code",
        given: ({ issuedCode }) => [JSON.stringify([{ qr_id: issuedCode, item_type: 'keys', item_name: 'Shed' }])],
        outcome: changes('select user_id from public.items where qr_id = $1', issued, ({ owner }) => owner.account.id),
      },
      {
        as: 'owner',
        shows: "an item of the caller's has the new name, and keeps what was not given",
        given: ({ owner }) => [JSON.stringify([{ qr_id: owner.item.qrId, item_name: 'Shed' }])],
        outcome: changes(
          'select item_name from public.items where qr_id = $1 and user_id = $2 and item_type is not null',
          ({ owner }) => [owner.item.qrId, owner.account.id],
          () => 'Shed',
        ),
      },
      {
        as: 'owner',
        shows: "nothing of a list with another owner's item",
        given: ({ owner, bystander }) => [
          JSON.stringify([
            { qr_id: owner.item.qrId, item_name: 'Shed' },
            { qr_id: bystander.item.qrId, item_type: 'keys', item_name: 'Shed' },
          ]),
        ],
        outcome: refused('23505'),
      },
      {
        as: 'owner',
        shows: 'nothing of a list with one code twice',
        given: ({ issuedCode }) => [
          JSON.stringify(
            Array.from({ length: 2 }, () => ({ qr_id: issuedCode, item_type: 'keys', item_name: 'Shed' })),
          ),
        ],
        outcome: refused('23505'),
      },
      {
        as: 'owner',
        shows: 'not more than 2000 at once',
        given: () => [JSON.stringify(Array.from({ length: 2001 }, () => ({})))],
        outcome: refused('22023'),
      },
      ...['{}', 'null', '["keys"]'].map(
        (list): FunctionCase => ({
          as: 'owner',
          shows: `not for ${list} in place of items`,
          given: () => [list],
          outcome: refused('22023'),
        }),
      ),
      {
        as: 'service',
        shows: 'no new item without an owner',
        given: ({ issuedCode }) => [JSON.stringify([{ qr_id: issuedCode, item_type: 'keys', item_name: 'Shed' }])],
        outcome: refused('23502'),
      },
    ],
  },

  'public.register_qr_code(text, uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'an issued code becomes the code of the caller',
        given: ({ issuedCode, stranger }) => [issuedCode, stranger.id],
        outcome: changes(HOLDER, issued, ({ stranger }) => stranger.id),
      },
      {
        as: 'stranger',
        shows: 'not for another account',
        given: ({ issuedCode, owner }) => [issuedCode, owner.account.id],
        outcome: refused('42501'),
      },
      {
        as: 'stranger',
        shows: 'not without an account',
        given: ({ issuedCode }) => [issuedCode, null],
        outcome: refused('42501'),
      },
      {
        as: 'stranger',
        shows: 'not the code of another account',
        given: ({ owner, stranger }) => [owner.item.qrId, stranger.id],
        outcome: refused('23505'),
      },
      {
        as: 'stranger',
        shows: 'not the code of another account, without an item',
        given: ({ owner, stranger }) => [owner.spareCode, stranger.id],
        outcome: refused('23505'),
      },
      {
        as: 'stranger',
        shows: 'not a code that could be guessed',
        given: ({ stranger }) => [WEAK_CODE, stranger.id],
        outcome: refused('22023'),
      },
      {
        as: 'stranger',
        shows: 'not a void code, with the refusal of one that is not known',
        given: ({ voidCode, stranger }) => [voidCode.free, stranger.id],
        outcome: refused('22023'),
      },
      {
        as: 'owner',
        shows: 'not a void code again that is the caller’s own',
        given: ({ voidCode, owner }) => [voidCode.owned, owner.account.id],
        outcome: refused('22023'),
      },
      {
        as: 'service',
        shows: 'not by the service, which has no account',
        given: ({ issuedCode, owner }) => [issuedCode, owner.account.id],
        outcome: refused('42501'),
      },
    ],
  },
  'public.attach_qr_code(text, uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'a free code leads to the item of the caller',
        given: ({ issuedCode, owner }) => [issuedCode, owner.item.id],
        outcome: changes(
          "select concat_ws('/', owner_id, stands_for) from public.qr_codes where qr_id = $1",
          issued,
          ({ owner }) => `${owner.account.id}/${owner.item.qrId}`,
        ),
      },
      {
        as: 'owner',
        shows: 'so does a code of the caller without an item',
        given: ({ owner }) => [owner.spareCode, owner.item.id],
        outcome: changes(OWN_CODE, spare, ({ owner }) => owner.item.qrId),
      },
      {
        as: 'owner',
        shows: 'not to the record of an item that the caller gave away',
        given: ({ issuedCode, owner }) => [issuedCode, owner.given],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'the code of the item itself changes nothing',
        given: ({ owner }) => [owner.item.qrId, owner.item.id],
        outcome: returns(() => ''),
      },
      {
        as: 'owner',
        shows: 'not to the item of another account',
        given: ({ issuedCode, bystander }) => [issuedCode, bystander.item.id],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'not the code of another account',
        given: ({ owner, bystander }) => [bystander.spareCode, owner.item.id],
        outcome: refused('23505'),
      },
      {
        as: 'owner',
        shows: 'not a code that could be guessed',
        given: ({ owner }) => [WEAK_CODE, owner.item.id],
        outcome: refused('22023'),
      },
      {
        as: 'service',
        shows: 'not by the service, which has no items',
        given: ({ issuedCode, owner }) => [issuedCode, owner.item.id],
        outcome: refused('PT404'),
      },
    ],
  },
  'public.detach_qr_code(text)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'the only code of an item stays',
        given: ({ owner }) => [owner.item.qrId],
        outcome: refused('PT409'),
      },
      { as: 'owner', shows: 'nothing without an item', given: spare, outcome: refused('PT404') },
      {
        as: 'owner',
        shows: 'not the code of another account',
        given: ({ bystander }) => [bystander.item.qrId],
        outcome: refused('PT404'),
      },
      {
        as: 'service',
        shows: 'not by the service, which has no items',
        given: ({ owner }) => [owner.item.qrId],
        outcome: refused('PT404'),
      },
    ],
  },
  'internal.own_code_of_item(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a code that stands for no other is returned as it is',
        given: ({ owner }) => [owner.item.qrId],
        outcome: returns(({ owner }) => owner.item.qrId),
      },
    ],
  },
  'internal.free_codes(text[])': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a code that was never issued is forgotten',
        given: ({ owner }) => [[owner.spareCode]],
        outcome: changes('select count(*)::integer from public.qr_codes where qr_id = $1', spare, () => 0),
      },
    ],
  },
  'internal.claim_code(text, uuid)': {
    executableBy: SERVICE,
    actsAs: 'service_role',
    cases: [
      {
        as: 'service',
        shows: 'an issued code gets its owner',
        given: ({ issuedCode, stranger }) => [issuedCode, stranger.id],
        outcome: changes(HOLDER, issued, ({ stranger }) => stranger.id),
      },
      {
        as: 'service',
        shows: 'a code keeps its owner',
        given: ({ owner, stranger }) => [owner.spareCode, stranger.id],
        outcome: refused('23505'),
      },
    ],
  },
  'public.can_claim_code(text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: CALLERS.flatMap((as): FunctionCase[] => [
      { as, shows: 'a strong code', given: () => [STRONG_CODE], outcome: returns(() => true) },
      { as, shows: 'an issued code', given: issued, outcome: returns(() => true) },
      { as, shows: 'not a weak code', given: () => [WEAK_CODE], outcome: returns(() => false) },
      { as, shows: 'no code', given: () => [null], outcome: returns(() => false) },
      { as, shows: 'not a void code', given: ({ voidCode }) => [voidCode.free], outcome: returns(() => false) },
      {
        as,
        shows: 'not the void code of an account',
        given: ({ voidCode }) => [voidCode.owned],
        outcome: returns(() => false),
      },
      {
        as,
        shows: 'a claimed code only to its owner',
        given: ({ owner }) => [owner.spareCode],
        outcome: returns(() => as === 'owner'),
      },
    ]),
  },
  'public.note_scan(text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: CALLERS.flatMap((as): FunctionCase[] => [
      {
        as,
        shows: 'a claimed code was scanned, and whether it is the caller’s',
        given: ({ owner }) => [owner.spareCode],
        outcome: changes(
          'select was_scanned from public.qr_codes where qr_id = $1',
          spare,
          () => true,
          () => as === 'owner',
        ),
      },
      { as, shows: 'nothing for a free code', given: issued, outcome: returns(() => false) },
      { as, shows: 'nothing for an unknown code', given: () => [STRONG_CODE], outcome: returns(() => false) },
      {
        as,
        shows: 'nothing for a void code',
        given: ({ voidCode }) => [voidCode.owned],
        outcome: returns(() => false),
      },
    ]),
  },
  'public.claim_new_code(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'a new code is the caller’s',
        given: () => [crypto.randomUUID()],
        outcome: changes(
          'select count(*)::int from public.qr_codes where owner_id = $1 and issued_at is null',
          ({ stranger }) => [stranger.id],
          () => 1,
          () => expect.stringMatching(/^tgt-[A-Za-z0-9_-]{16}$/),
        ),
      },
      {
        as: 'service',
        shows: 'not by the service, which has no account',
        given: () => [crypto.randomUUID()],
        outcome: refused('42501'),
      },
    ],
  },
  'internal.enqueue_void_mail(uuid, text[])': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: ({ owner }) => [owner.account.id, [owner.spareCode]],
        outcome: changes(
          "select count(*)::int from graphile_worker.jobs where key = 'send_void_mail:' || $1",
          ({ owner }) => [owner.account.id],
          () => 1,
        ),
      },
    ],
  },
  'internal.new_tag_code()': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a code of 94 bits',
        given: () => [],
        outcome: returns(() => expect.stringMatching(/^tgt-[A-Za-z0-9_-]{15}[A-Za-z0-9]$/)),
      },
    ],
  },
  'public.list_blank_codes()': {
    executableBy: SIGNED_IN,
    cases: [
      {
        as: 'owner',
        shows: 'the codes of the caller that work and have no item',
        given: () => [],
        outcome: returns(({ owner }) =>
          expect.arrayContaining([{ qr_id: owner.spareCode, made_at: expect.any(String) }]),
        ),
      },
      { as: 'stranger', shows: 'none of another account', given: () => [], outcome: returns(() => []) },
      {
        as: 'service',
        shows: 'none to the service, which has no account',
        given: () => [],
        outcome: returns(() => []),
      },
    ],
  },
  'public.make_blank_codes(integer, uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'new codes are the caller’s, and not issued',
        given: () => [3, REQUEST],
        outcome: changes(
          'select count(*)::int from public.qr_codes where owner_id = $1 and issued_at is null',
          ({ stranger }) => [stranger.id],
          () => 3,
          () => Array(3).fill({ qr_id: expect.stringMatching(/^tgt-[A-Za-z0-9_-]{16}$/), made_at: expect.any(String) }),
        ),
      },
      {
        as: 'owner',
        shows: 'no more than 100 with those that the caller has',
        given: () => [100, REQUEST],
        outcome: refused('PT413'),
      },
      {
        as: 'stranger',
        shows: 'the codes keep the request that made them',
        given: () => [2, REQUEST],
        outcome: changes(
          'select count(*)::int from public.qr_codes where owner_id = $1 and request_id = $2',
          ({ stranger }) => [stranger.id, REQUEST],
          () => 2,
          () => expect.any(Array),
        ),
      },
      { as: 'owner', shows: 'not none', given: () => [0, REQUEST], outcome: refused('22023') },
      { as: 'owner', shows: 'not 101 at once', given: () => [101, REQUEST], outcome: refused('22023') },
      { as: 'owner', shows: 'not without a number', given: () => [null, REQUEST], outcome: refused('22023') },
      {
        as: 'service',
        shows: 'not by the service, which has no account',
        given: () => [1, REQUEST],
        outcome: refused('42501'),
      },
    ],
  },
  'public.discard_blank_codes(text[])': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'a code without an item is free, and one with an item stays',
        given: ({ owner }) => [[owner.spareCode, owner.item.qrId]],
        outcome: changes(
          'select array_agg(qr_id) from public.qr_codes where qr_id in ($1, $2) and owner_id is not null',
          ({ owner }) => [owner.spareCode, owner.item.qrId],
          ({ owner }) => [owner.item.qrId],
        ),
      },
      {
        as: 'stranger',
        shows: 'the code of another account stays',
        given: ({ owner }) => [[owner.spareCode]],
        outcome: returns(() => ''),
      },
      {
        as: 'owner',
        shows: 'not 101 at once',
        given: () => [Array.from({ length: 101 }, (_, index) => `tgt-${index}`)],
        outcome: refused('22023'),
      },
      {
        as: 'service',
        shows: 'nothing by the service, which has no account',
        given: ({ owner }) => [[owner.spareCode]],
        outcome: returns(() => ''),
      },
    ],
  },
  'internal.tag_claimed_code(text)': {
    executableBy: SERVICE,
    actsAs: 'service_role',
    cases: [
      {
        as: 'service',
        shows: 'a claimed code gets the item of its owner',
        given: ({ owner }) => [owner.spareCode],
        outcome: changes(
          "select concat_ws('/', user_id, item_type, item_name, description) from public.items where qr_id = $1",
          ({ owner }) => [owner.spareCode],
          ({ owner }) => `${owner.account.id}/other/My Tagged Item`,
          () => true,
        ),
      },
      {
        as: 'service',
        shows: 'a code with an item keeps it',
        given: ({ owner }) => [owner.item.qrId],
        outcome: returns(() => true),
      },
      {
        as: 'service',
        shows: 'an unclaimed code gets no item',
        given: issued,
        outcome: returns(() => false),
      },
      {
        as: 'service',
        shows: 'a void code gets no item',
        given: ({ voidCode }) => [voidCode.free],
        outcome: returns(() => false),
      },
    ],
  },
  'internal.is_claimable_code(text)': {
    executableBy: SERVICE,
    cases: [
      { as: 'service', shows: 'a strong code', given: () => [STRONG_CODE], outcome: returns(() => true) },
      { as: 'service', shows: 'a weak code', given: () => [WEAK_CODE], outcome: returns(() => false) },
    ],
  },
  'internal.is_hard_to_guess(text)': {
    executableBy: SERVICE,
    cases: [
      { as: 'service', shows: 'a strong code', given: () => [STRONG_CODE], outcome: returns(() => true) },
      { as: 'service', shows: 'a weak code', given: () => [WEAK_CODE], outcome: returns(() => false) },
    ],
  },
  'internal.require_look_up(text)': {
    executableBy: SERVICE,
    cases: [{ as: 'service', shows: 'nothing to stop it', given: () => [WEAK_CODE], outcome: returns(() => '') }],
  },
  'internal.note_look_up(text, text)': {
    executableBy: SERVICE,
    cases: [{ as: 'service', shows: 'nothing', given: () => ['miss', WEAK_CODE], outcome: returns(() => '') }],
  },
  'internal.tag_at_registration(uuid, text)': {
    executableBy: SERVICE,
    actsAs: 'service_role',
    cases: [
      {
        as: 'service',
        shows: 'the stored code becomes the first item',
        given: ({ issuedCode, stranger }) => [stranger.id, issuedCode],
        outcome: changes(
          "select concat_ws('/', user_id, item_type, item_name, description) from public.items where qr_id = $1",
          issued,
          ({ stranger }) => `${stranger.id}/other/My Tagged Item/Item tagged during registration`,
        ),
      },
      {
        as: 'service',
        shows: 'a code with an item is unchanged',
        given: ({ owner, stranger }) => [stranger.id, owner.item.qrId],
        outcome: returns(() => false),
      },
    ],
  },
};
