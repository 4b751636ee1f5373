import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createFile, replaceFile } from '#server/data-folder/whole-file.ts';
import { OperatorError } from '#server/operator-error.ts';
import { beginningOf } from './processes.ts';

/** The right to start, repair and stop PostgreSQL on a data folder. One process holds it at a time. */
export interface DataClaim {
  release(): Promise<void>;
}

/** A claim by root must be readable for the account that owns the data. */
const CLAIM_MODE = 0o644;

interface Holder {
  readonly pid: number;
  readonly beginning: string;
  /** The folder of the claim, by device and inode, so that a copied folder's claim is not valid. */
  readonly folder: string;
}

/**
 * Claims the data folder for this process, before anything in it is touched. Throws an OperatorError that names the
 * process that holds it. The claim of a killed process is free again.
 *
 * A claim is a numbered file beside the data, and the highest number is valid. A process that finds the holder gone
 * links the next number, which succeeds for exactly one of several. The highest file is never removed, so a slow
 * competitor cannot take what another process has claimed since it looked.
 */
export async function claimData(data: string): Promise<DataClaim> {
  const folder = dirname(data);
  const prefix = `${basename(data)}.claim-`;
  const pathOf = (number: number) => join(folder, `${prefix}${number}`);
  const { dev, ino } = await stat(folder);
  const us = { pid: process.pid, beginning: beginningOf(process.pid), folder: `${dev}:${ino}` };

  for (;;) {
    const highest = Math.max(0, ...numbersOf(prefix, await readdir(folder)));
    const holder = highest === 0 ? null : await readHolder(pathOf(highest));
    if (holder?.folder === us.folder && beginningOf(holder.pid) === holder.beginning) {
      throw alreadyRunning(data, holder.pid);
    }
    const number = highest + 1;
    if (!(await writeOnce(pathOf(number), JSON.stringify(us)))) continue;

    const names = await readdir(folder);
    if (Math.max(...numbersOf(prefix, names)) > number) {
      // Since we looked, others have passed this number and removed it.
      await rm(pathOf(number), { force: true });
      continue;
    }
    for (const name of names) {
      if (name.startsWith(prefix) && Number.parseInt(name.slice(prefix.length), 10) < number) {
        await rm(join(folder, name), { force: true });
      }
    }
    return {
      async release() {
        await replaceFile(pathOf(number), 'released\n', { mode: CLAIM_MODE });
      },
    };
  }
}

function alreadyRunning(data: string, pid: number): OperatorError {
  return new OperatorError(
    `Another server (process ${pid}) is already running on the data in ${dirname(data)}. Stop it first, or give this one its own folder with DATA_DIRECTORY.`,
  );
}

function numbersOf(prefix: string, names: readonly string[]): number[] {
  return names.flatMap((name) => {
    const number = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    return /^\d+$/.test(number) ? [Number(number)] : [];
  });
}

/** Creates a claim whole. Returns false where another process has it. */
async function writeOnce(path: string, text: string): Promise<boolean> {
  try {
    return await createFile(path, text, { mode: CLAIM_MODE });
  } catch (error) {
    // Another process removed our temporary file: the holder of a higher number, or one that cleans up.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Returns null for a claim that was released or cannot be read. */
async function readHolder(path: string): Promise<Holder | null> {
  try {
    const holder: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof holder !== 'object' || holder === null) return null;
    if (!('pid' in holder && 'beginning' in holder && 'folder' in holder)) return null;
    return { pid: Number(holder.pid), beginning: String(holder.beginning), folder: String(holder.folder) };
  } catch {
    return null;
  }
}
