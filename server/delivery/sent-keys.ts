import { hash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log/log.ts';
import type { Delivery } from './delivery.ts';

const DAY_MS = 86_400_000;
/** Longer than a job is retried. */
const KEPT_DAYS = 7;
/** About 20 MB. A job that was accepted before a crash is run again soon after it, so the newest keys matter most. */
const MOST_KEYS = 200_000;
const CHUNK_BYTES = 65_536;

/** Which messages have been accepted, by their keys. */
export interface SentKeys {
  has(key: string): boolean;
  /** Call it as soon as the message has been accepted. */
  add(key: string): void;
}

export interface SentKeysOptions {
  /** Created where it is missing. Contains one file per day. */
  readonly directory: string;
  readonly log: ServiceLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How many keys are held in memory; the oldest go first. */
  readonly mostKeys?: number;
}

/**
 * Opens the record of accepted messages. A key is written to a file, which survives this process. A job that was not
 * marked as done before a crash is run again and finds the key, in the next process or in another one on the folder.
 *
 * Files contain fingerprints of keys, and are kept for a week. Of more than 200,000 the newest are remembered.
 */
export async function openSentKeys({ directory, log, now, mostKeys = MOST_KEYS }: SentKeysOptions): Promise<SentKeys> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const recent = await RecentKeys.read(directory, now(), mostKeys);
  return {
    has(key) {
      try {
        recent.readWhatWasWritten(now());
      } catch (error) {
        log.warn({ err: error }, 'The record of sent messages could not be read; one may be sent twice.');
      }
      return recent.has(fingerprint(key));
    },
    add(key) {
      const day = dayOf(now());
      const line = fingerprint(key);
      try {
        recent.add(day, line);
        // Synchronous: nothing may run between the receiver's response and this write.
        appendFileSync(fileOf(directory, day), `${line}\n`, { mode: 0o600 });
      } catch (error) {
        log.warn({ err: error }, 'A sent message could not be recorded; a crash now would send it twice.');
      }
    },
  };
}

/** Wraps a delivery so that an email with a key is handed to the mail server once. */
export function rememberSentMails(delivery: Delivery, sent: SentKeys): Delivery {
  return {
    ...delivery,
    async sendEmail(email) {
      const { key } = email;
      if (key === undefined) return delivery.sendEmail(email);
      if (sent.has(key)) return;
      await delivery.sendEmail(email);
      sent.add(key);
    },
  };
}

/** The keys of recent days, up to a bound, and their files. Both go a week after their day. */
class RecentKeys {
  #directory: string;
  #mostKeys: number;
  /** Keyed by day, oldest first; the keys of a day in the order in which they came. */
  #days = new Map<string, Set<string>>();
  #count = 0;
  /** The bytes of each day's file that have been read. What this process writes is read back with what others write. */
  #bytes = new Map<string, number>();
  #prunedOn = '';

  private constructor(directory: string, mostKeys: number) {
    this.#directory = directory;
    this.#mostKeys = mostKeys;
  }

  static async read(directory: string, now: number, mostKeys: number): Promise<RecentKeys> {
    const sent = new RecentKeys(directory, mostKeys);
    for (const name of (await readdir(directory)).toSorted()) {
      const day = /^(\d{4}-\d{2}-\d{2})\.log$/.exec(name)?.[1];
      if (day !== undefined) sent.#readDay(day);
    }
    sent.#prune(dayOf(now));
    return sent;
  }

  /** Another process may have written to the files of today and of the day before. */
  readWhatWasWritten(now: number): void {
    for (const day of [dayOf(now - DAY_MS), dayOf(now)]) {
      const file = statSync(fileOf(this.#directory, day), { throwIfNoEntry: false });
      if (file !== undefined && file.size > (this.#bytes.get(day) ?? 0)) this.#readDay(day);
    }
  }

  /** Reads what was added to the file of a day. A line that has no end yet is read once it has. */
  #readDay(day: string): void {
    const file = openSync(fileOf(this.#directory, day), 'r');
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (;;) {
        const from = this.#bytes.get(day) ?? 0;
        const read = chunk.subarray(0, readSync(file, chunk, 0, chunk.length, from));
        const end = read.lastIndexOf('\n') + 1;
        for (const key of read.subarray(0, end).toString('latin1').split('\n')) if (key !== '') this.#keep(day, key);
        this.#bytes.set(day, from + end);
        if (end === 0) return;
      }
    } finally {
      closeSync(file);
    }
  }

  has(key: string): boolean {
    return [...this.#days.values()].some((keys) => keys.has(key));
  }

  add(day: string, key: string): void {
    this.#keep(day, key);
    if (day > this.#prunedOn) this.#prune(day);
  }

  #keep(day: string, key: string): void {
    const keys = this.#days.get(day) ?? new Set();
    this.#days.set(day, keys);
    if (keys.has(key)) return;
    keys.add(key);
    this.#count += 1;
    while (this.#count > this.#mostKeys) this.#dropOldest();
  }

  #dropOldest(): void {
    for (const keys of this.#days.values()) {
      const [oldest] = keys;
      if (oldest === undefined) continue;
      keys.delete(oldest);
      this.#count -= 1;
      return;
    }
  }

  #prune(today: string): void {
    this.#prunedOn = today;
    const oldest = dayOf(Date.parse(today) - KEPT_DAYS * DAY_MS);
    for (const [day, keys] of this.#days) {
      if (day >= oldest) continue;
      this.#count -= keys.size;
      this.#days.delete(day);
      this.#bytes.delete(day);
      rmSync(fileOf(this.#directory, day), { force: true });
    }
  }
}

function fileOf(directory: string, day: string): string {
  return join(directory, `${day}.log`);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function fingerprint(key: string): string {
  return hash('sha256', key, 'base64url');
}
