import * as v from 'valibot';
import type { Ending } from '#server/postgres/backup/endings.ts';

/** What ended on one day (UTC), in a file beside the backups. */
export interface EndingsOfDay {
  /** Until when the file has everything. ISO 8601. */
  readonly until: string;
  readonly endings: readonly Ending[];
}

const NAME = /^reunite-endings-(\d{4}-\d\d-\d\d)\.txt$/;
const HEADING = '# Reunite: what ended, for the restore of a backup from before. Complete until ';
const LINE = v.object({
  at: v.pipe(v.string(), v.isoTimestamp()),
  what: v.pipe(v.string(), v.regex(/^[a-z_]+(\.[a-z_]+)+$/)),
  id: v.pipe(v.string(), v.minLength(1)),
  takenBack: v.boolean(),
});

/** @example endingsFileOf('2026-11-28') // 'reunite-endings-2026-11-28.txt' */
export function endingsFileOf(day: string): string {
  return `reunite-endings-${day}.txt`;
}

/** Returns the day of such a file, or null for another name. */
export function dayOfEndingsFile(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null;
}

export function writeEndingsOfDay({ until, endings }: EndingsOfDay): string {
  const lines = endings.map(
    ({ at, what, id, takenBack }) => `${at}\t${what}\t${id}${takenBack ? '\ttaken back' : ''}\n`,
  );
  return `${HEADING}${until}\n${lines.join('')}`;
}

/** Throws where the text is not of this format. */
export function readEndingsOfDay(text: string): EndingsOfDay {
  const [heading = '', ...lines] = text.split('\n');
  if (!heading.startsWith(HEADING)) throw new Error('It does not begin as such a file does.');
  return {
    until: v.parse(v.pipe(v.string(), v.isoTimestamp()), heading.slice(HEADING.length)),
    endings: lines
      .filter((line) => line !== '')
      .map((line) => {
        const [at, what, id, takenBack] = line.split('\t');
        return v.parse(LINE, { at, what, id, takenBack: takenBack === 'taken back' });
      }),
  };
}
