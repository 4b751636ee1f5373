import { text } from 'node:stream/consumers';
import { OperatorError } from '#server/operator-error.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { type Ending, readEndings } from '#server/postgres/backup/endings.ts';
import { withClient } from '#server/postgres/backup/with-client.ts';
import type { BackupPlace } from '../places/backup-place.ts';
import {
  dayOfEndingsFile,
  type EndingsOfDay,
  endingsFileOf,
  readEndingsOfDay,
  writeEndingsOfDay,
} from './endings-file.ts';

const DAY_MS = 86_400_000;

/**
 * Writes what ended to a place of backups, in a file for each day (UTC). Days before the last two that are there are
 * complete. What a file has stays: a restored database does not know what ended in the former one.
 */
export async function keepEndings(address: PostgresAddress, place: BackupPlace, now: Date): Promise<void> {
  const there = await daysIn(place);
  const last = there.at(-1);
  // A transaction that ended something before midnight may have been committed after it.
  const since = last === undefined ? new Date(0) : new Date(Date.parse(last) - DAY_MS);
  const endings = await withClient(address, 'reunite backup', (client) => readEndings(client, since));
  const until = now.toISOString();
  const days = Map.groupBy(endings, ({ at }) => dayOf(at));
  for (const day of [...new Set([...days.keys(), dayOf(until)])].sort()) {
    const before = there.includes(day) ? (await readDay(place, day)).endings : [];
    const all = new Map([...before, ...(days.get(day) ?? [])].map((ending) => [Object.values(ending).join(), ending]));
    await place.replace(endingsFileOf(day), writeEndingsOfDay({ until, endings: [...all.values()] }));
  }
}

/** What ended after a moment, as the files in a place say. */
export interface KeptEndings {
  readonly endings: readonly Ending[];
  /** Until when they say it. ISO 8601; null where they say nothing. */
  readonly until: string | null;
}

/** Throws an OperatorError that names a file which is damaged. Without a moment, returns everything. */
export async function findEndings(place: BackupPlace, moment = new Date(0).toISOString()): Promise<KeptEndings> {
  const first = dayOf(new Date(Date.parse(moment) - DAY_MS).toISOString());
  const endings: Ending[] = [];
  let until = moment;
  for (const day of (await daysIn(place)).filter((day) => day >= first)) {
    const read = await readDay(place, day);
    endings.push(...read.endings);
    if (read.until > until) until = read.until;
  }
  return { endings, until: until > moment ? until : null };
}

async function readDay(place: BackupPlace, day: string): Promise<EndingsOfDay> {
  const name = endingsFileOf(day);
  try {
    return readEndingsOfDay(await text(place.read(name)));
  } catch (cause) {
    throw new OperatorError(
      `${place.addressOf(name)} cannot be read or is damaged. Move it away to go on without it.`,
      { cause },
    );
  }
}

/** Oldest first. */
async function daysIn(place: BackupPlace): Promise<string[]> {
  return (await place.list()).flatMap(({ name }) => dayOfEndingsFile(name) ?? []);
}

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}
