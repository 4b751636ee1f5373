import { changes, type FunctionPolicy, refused, returns, SERVICE } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

const NEW_CODES = ['tgt-0123456789abcdef', 'tgt-0123456789abcdeg', 'tgt-0123456789abcdeh'];
const CODES_OF_BATCH = `select string_agg(batch_place || ' ' || right(qr_id, 1), ', ' order by batch_place)
  from public.qr_codes where batch_id = $1 and batch_place > 0 and issued_at is not null`;

const batch = ({ batch: id }: Seed) => [id];

/** What operators do with batches of stickers. */
export const STICKER_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
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
};
