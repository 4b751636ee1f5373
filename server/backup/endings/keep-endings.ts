import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#server/data-folder/whole-file.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { type Ending, readEndings } from '#server/postgres/backup/endings.ts';
import { withClient } from '#server/postgres/backup/with-client.ts';
import {
  dayOfEndingsFile,
  type EndingsOfDay,
  endingsFileOf,
  readEndingsOfDay,
  writeEndingsOfDay,
} from './endings-file.ts';

const DAY_MS = 86_400_000;

/**
 * Writes what ended to a folder of backups, in a file for each day (UTC). Days before the last two that are there are
 * complete. What a file has stays: a restored database does not know what ended in the former one.
 */
export async function keepEndings(address: PostgresAddress, folder: string, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = await daysIn(folder);
  const last = there.at(-1);
  // A transaction that ended something before midnight may have been committed after it.
  const since = last === undefined ? new Date(0) : new Date(Date.parse(last) - DAY_MS);
  const endings = await withClient(address, 'reunite backup', (client) => readEndings(client, since));
  const until = now.toISOString();
  const days = Map.groupBy(endings, ({ at }) => dayOf(at));
  for (const day of [...new Set([...days.keys(), dayOf(until)])].sort()) {
    const before = there.includes(day) ? (await readDay(folder, day)).endings : [];
    const all = new Map([...before, ...(days.get(day) ?? [])].map((ending) => [Object.values(ending).join(), ending]));
    await replaceFile(join(folder, endingsFileOf(day)), writeEndingsOfDay({ until, endings: [...all.values()] }));
  }
}

/** What ended after a moment, as the files in a folder say. */
export interface KeptEndings {
  readonly endings: readonly Ending[];
  /** Until when they say it. ISO 8601; null where they say nothing. */
  readonly until: string | null;
}

/** Throws an OperatorError that names a file which is damaged. Without a moment, returns everything. */
export async function findEndings(folder: string, moment = new Date(0).toISOString()): Promise<KeptEndings> {
  const first = dayOf(new Date(Date.parse(moment) - DAY_MS).toISOString());
  const endings: Ending[] = [];
  let until = moment;
  for (const day of (await daysIn(folder)).filter((day) => day >= first)) {
    const read = await readDay(folder, day);
    endings.push(...read.endings);
    if (read.until > until) until = read.until;
  }
  return { endings, until: until > moment ? until : null };
}

async function readDay(folder: string, day: string): Promise<EndingsOfDay> {
  const file = join(folder, endingsFileOf(day));
  try {
    return readEndingsOfDay(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read or is damaged. Move it away to go on without it.`, { cause });
  }
}

/** Oldest first. */
async function daysIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => dayOfEndingsFile(name) ?? []).sort();
}

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}
