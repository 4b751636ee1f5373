import { TokenBucket } from '#server/limits/token-bucket.ts';
import type { ServiceLog } from '#server/log/log.ts';

/** More wrong passwords and codes than that, in one process, come from no million of owners. */
const USUAL_PER_SECOND = 1;
const USUAL_AT_ONCE = 100;
const WARN_EVERY_MS = 600_000;

export interface GuessWatchOptions {
  readonly log: Pick<ServiceLog, 'warn'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Returns a function that counts a wrong password or code. It warns the operator of many in a short time, which no limit
 * notices: one guess each at many accounts, from many addresses.
 */
export function watchGuesses({ log, now }: GuessWatchOptions): () => void {
  const usual = new TokenBucket(USUAL_PER_SECOND, USUAL_AT_ONCE, now());
  let quietUntil = 0;
  return () => {
    const at = now();
    if (usual.take(at) || at < quietUntil) return;
    quietUntil = at + WARN_EVERY_MS;
    log.warn(
      { usualPerSecond: USUAL_PER_SECOND },
      'Far more passwords and codes than usual are wrong: somebody may be guessing at many accounts.',
    );
  };
}
