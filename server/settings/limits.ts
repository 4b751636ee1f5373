import * as v from 'valibot';
import { LIMIT_NAMES, type LimitFigures, type LimitName } from '#server/limits/limits.ts';
import { commaSeparated } from './values.ts';

const MOST_POINTS = 1_000_000;
const MOST_SECONDS = 30 * 86_400;

/** `LIMITS`: replaces figures of the table, such as `sign_up_per_address=50/3600`. */
export const limits = v.optional(
  v.pipe(
    commaSeparated,
    v.rawTransform(({ dataset, addIssue }) => {
      const changed = new Map<LimitName, LimitFigures>();
      for (const entry of dataset.value) {
        const parsed = parseEntry(entry);
        if (typeof parsed === 'string') addIssue({ message: parsed });
        else if (changed.has(parsed.name)) addIssue({ message: `names ${parsed.name} twice` });
        else changed.set(parsed.name, parsed.figures);
      }
      return changed;
    }),
  ),
  '',
);

/** Returns the parsed entry, or what is wrong with it. */
function parseEntry(entry: string): string | { readonly name: LimitName; readonly figures: LimitFigures } {
  const [, given = '', points = '', seconds = ''] = /^(\w+)=(\d{1,7})\/(\d{1,7})$/.exec(entry) ?? [];
  const name = LIMIT_NAMES.find((known) => known === given);
  const figures = { points: Number(points), seconds: Number(seconds) };
  const fits = isWithin(figures.points, MOST_POINTS) && isWithin(figures.seconds, MOST_SECONDS);
  if (given === '' || !fits) {
    return `must be limits such as sign_up_per_address=50/3600 (how many, up to ${MOST_POINTS}, in how many seconds, up to ${MOST_SECONDS}), comma separated`;
  }
  return name === undefined
    ? `names ${given}, which is no limit; docs/operate/limits.md has them all`
    : { name, figures };
}

function isWithin(value: number, most: number): boolean {
  return value >= 1 && value <= most;
}
