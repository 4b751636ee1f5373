import { RecentEntries } from '#server/limits/recent-entries.ts';
import { TokenBucket } from '#server/limits/token-bucket.ts';

/** Lines of one message that are written at once, and each second after that. */
const BURST = 50;
const PER_SECOND = 1;
/** How many messages are counted. The service's own messages are far fewer. */
const MOST_MESSAGES = 1_000;

/** What to do with a line: leave it out, or write it and say how many before it were left out. */
export type RepeatVerdict = { readonly written: false } | { readonly written: true; readonly leftOut: number };

/**
 * Bounds how often one message is logged, so that a caller who provokes an error again and again cannot fill the log.
 * `now` is in milliseconds, from any origin.
 */
export function boundRepeats(now: () => number): (message: string) => RepeatVerdict {
  const entries = new RecentEntries(MOST_MESSAGES, () => ({
    lines: new TokenBucket(PER_SECOND, BURST, now()),
    leftOut: 0,
  }));
  return (text) => {
    // Messages of the job queue name the job and its milliseconds.
    const repeats = entries.use(text.replace(/\d[\d.]*/g, '0'));
    if (!repeats.lines.take(now())) {
      repeats.leftOut += 1;
      return { written: false };
    }
    const { leftOut } = repeats;
    repeats.leftOut = 0;
    return { written: true, leftOut };
  };
}
