import { changes, type FunctionPolicy, NO_ROLES, refused, returns, SERVICE } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

const NEW_CODES = ['tgt-0123456789abcdef', 'tgt-0123456789abcdeg', 'tgt-0123456789abcdeh'];
const CODES_OF_BATCH = `select string_agg(batch_place || ' ' || right(qr_id, 1), ', ' order by batch_place)
  from public.qr_codes where batch_id = $1 and batch_place > 0 and issued_at is not null`;

const REASON = 'select void_reason from public.qr_codes where qr_id = $1';

const batch = ({ batch: id }: Seed) => [id];

/** What operators do with batches of stickers. */
export const STICKER_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  // Run by the operator, as a superuser.
  'internal.open_schema(text)': { executableBy: NO_ROLES },
  'public.issue_codes(uuid, integer, text[])': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'codes get the next places of their batch, up to its size',
        given: (seed) => [seed.batch, 1, NEW_CODES],
        outcome: changes(
          CODES_OF_BATCH,
          batch,
          () => '1 f, 2 g',
          () => 3,
        ),
      },
      {
        as: 'service',
        shows: 'nothing where the place has a code',
        given: (seed) => [seed.batch, 0, NEW_CODES],
        outcome: returns(() => 1),
      },
      {
        as: 'service',
        shows: 'nothing without a batch',
        given: () => ['00000000-0000-4000-8000-000000000000', 0, NEW_CODES],
        outcome: refused('PT404'),
      },
      {
        as: 'service',
        shows: 'not a code that is recorded',
        given: (seed) => [seed.batch, 1, [seed.issuedCode]],
        outcome: refused('23505'),
      },
      {
        as: 'service',
        shows: 'not more than a thousand at once',
        given: (seed) => [seed.batch, 1, Array.from({ length: 1_001 }, (_, n) => `tgt-many-${n}`)],
        outcome: refused('22023'),
      },
    ],
  },
  'public.void_code(text, text, boolean)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a free code is void',
        given: ({ issuedCode }) => [issuedCode, 'Stolen', false],
        outcome: changes(
          REASON,
          ({ issuedCode }) => [issuedCode],
          () => 'Stolen',
          () => 'voided',
        ),
      },
      {
        as: 'service',
        shows: 'a claimed code is void if that is said',
        given: ({ owner }) => [owner.item.qrId, 'Stolen', true],
        outcome: changes(
          REASON,
          ({ owner }) => [owner.item.qrId],
          () => 'Stolen',
          () => 'voided',
        ),
      },
      {
        as: 'service',
        shows: 'a claimed code stays otherwise',
        given: ({ owner }) => [owner.item.qrId, 'Stolen', false],
        outcome: returns(() => 'claimed'),
      },
      {
        as: 'service',
        shows: 'a void code keeps its reason',
        given: ({ voidCode }) => [voidCode.free, 'Another', true],
        outcome: returns(() => 'void'),
      },
      {
        as: 'service',
        shows: 'no code that is not recorded',
        given: () => ['tgt-0123456789abcdef', 'Stolen', true],
        outcome: returns(() => 'unknown'),
      },
      {
        as: 'service',
        shows: 'not without a reason',
        given: ({ issuedCode }) => [issuedCode, null, false],
        outcome: refused('23514'),
      },
    ],
  },
  'public.void_batch(uuid, text, boolean)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'its codes are void',
        given: (seed) => [seed.batch, 'Stolen', false],
        outcome: changes(
          'select void_reason from public.qr_codes where batch_id = $1',
          batch,
          () => 'Stolen',
          () => ({ voided: 1, claimed: 0 }),
        ),
      },
      {
        as: 'service',
        shows: 'nothing without a batch',
        given: () => ['00000000-0000-4000-8000-000000000000', 'Stolen', false],
        outcome: refused('PT404'),
      },
    ],
  },
  'internal.hold_batches(text[])': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'nothing, also for a code without a batch',
        given: ({ owner }) => [[owner.spareCode]],
        outcome: returns(() => ''),
      },
    ],
  },
  'public.restore_code(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a void code works again',
        given: ({ voidCode }) => [voidCode.owned],
        outcome: changes(
          REASON,
          ({ voidCode }) => [voidCode.owned],
          () => null,
          () => true,
        ),
      },
      {
        as: 'service',
        shows: 'nothing where the code is not void',
        given: ({ issuedCode }) => [issuedCode],
        outcome: returns(() => false),
      },
    ],
  },
  'public.restore_batch(uuid)': {
    executableBy: SERVICE,
    cases: [
      { as: 'service', shows: 'nothing where the batch is not void', given: batch, outcome: returns(() => 0) },
      {
        as: 'service',
        shows: 'nothing without a batch',
        given: () => ['00000000-0000-4000-8000-000000000000'],
        outcome: refused('PT404'),
      },
    ],
  },
  'internal.is_void(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a void code',
        given: ({ voidCode }) => [voidCode.free],
        outcome: returns(() => true),
      },
      {
        as: 'service',
        shows: 'not one that works',
        given: ({ issuedCode }) => [issuedCode],
        outcome: returns(() => false),
      },
    ],
  },
  'internal.claims_only_issued_codes()': {
    executableBy: SERVICE,
    cases: [
      { as: 'service', shows: 'not unless the operator says so', given: () => [], outcome: returns(() => false) },
    ],
  },
  'internal.announce_void_codes(text, text[])': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'an entry for the owner',
        given: ({ voidCode }) => ['codes_voided', [voidCode.owned]],
        outcome: changes(
          "select count(*)::int from auth.audit_log where event = 'codes_voided' and user_id = $1 and by_operator",
          ({ owner }) => [owner.account.id],
          () => 1,
          () => '',
        ),
      },
    ],
  },
};
