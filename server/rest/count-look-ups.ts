import type { MissLimit } from '#server/limits/miss-limit.ts';
import { noteRefusal } from '#server/limits/refused-by.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import type { Statement } from '#server/postgres/statement.ts';
import { tooManyRequests } from './errors.ts';
import type { RestRequest } from './rest-request.ts';

/** SQLSTATEs of what the database says of look-ups (`internal.note_look_up`, `internal.require_look_up`). */
const MISS = 'RE001';
const CLAIM = 'RE002';
const CLAIM_HARD_TO_GUESS = 'RE003';
const REFUSED = 'PT429';

interface WatchedCall<Result> {
  /** The caller requested the result without the change (`tx=rollback`). */
  readonly isUndone: boolean;
  /** Every statement has to be passed through `watched`. */
  make(watched: (statement: Statement) => Statement): Promise<Result>;
}

/**
 * Makes a call and counts the codes that it looked up for nothing, as misses of the caller's address: those that are not
 * for the caller, and where the call fails or is undone, those that it claimed, which would otherwise reveal that they
 * are free and leave no trace. The database says which, so that it holds for every function and table.
 *
 * Claimed codes that are hard to guess count as one together: a list of a thousand items can fail for another reason.
 *
 * @throws RestError 429 in place of the result, past the limit.
 */
export async function countLookUps<Result>(
  misses: MissLimit,
  { caller, clientAddress }: RestRequest,
  { isUndone, make }: WatchedCall<Result>,
): Promise<Result> {
  if (caller.role === 'service_role') return make((statement) => statement);
  const seen = { [MISS]: 0, [CLAIM]: 0, [CLAIM_HARD_TO_GUESS]: 0 };
  const onNotice = (code: string) => {
    if (code === MISS || code === CLAIM || code === CLAIM_HARD_TO_GUESS) seen[code] += 1;
  };
  const count = async (hasFailed: boolean) => {
    const claims = hasFailed || isUndone ? seen[CLAIM] + Math.min(1, seen[CLAIM_HARD_TO_GUESS]) : 0;
    for (let counted = 0; counted < seen[MISS] + claims; counted += 1) {
      const retryAfterSeconds = await misses.countMiss(clientAddress);
      if (retryAfterSeconds !== null) throw tooManyRequests(retryAfterSeconds);
    }
  };
  let result: Result;
  try {
    result = await make((statement) => ({ ...statement, onNotice }));
  } catch (error) {
    if (asPostgresError(error)?.code === REFUSED) {
      noteRefusal({ name: 'find_item_miss' });
      throw tooManyRequests(misses.refusal(clientAddress) ?? 1);
    }
    await count(true);
    throw error;
  }
  await count(false);
  return result;
}
