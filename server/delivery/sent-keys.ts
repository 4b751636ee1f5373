import { hash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log/log.ts';
import type { Delivery } from './delivery.ts';

const DAY_MS = 86_400_000;
/** Longer than a job is retried. */
const KEPT_DAYS = 7;

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
}

/**
 * Opens the record of accepted messages. A key is written to a file, which survives this process. A job that was not
 * marked as done before a crash is run again and finds the key, in the next process or in another one on the folder.
 *
 * Files contain fingerprints of keys, and are kept for a week.
 */
export async function openSentKeys({ directory, log, now }: SentKeysOptions): Promise<SentKeys> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const recent = await RecentKeys.read(directory, now());
  return {
    has(key) {
      try {
        recent.readWhatOthersWrote(now());
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
        recent.noteWritten(day, line.length + 1);
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

/** The keys of recent days, and their files. Both go a week after their day. */
class RecentKeys {
  #directory: string;
  /** Keyed by day, oldest first. */
  #days = new Map<string, Set<string>>();
  /** The bytes of each day's file whose keys are here. */
  #bytes = new Map<string, number>();

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async read(directory: string, now: number): Promise<RecentKeys> {
    const sent = new RecentKeys(directory);
    for (const name of (await readdir(directory)).toSorted()) {
      const day = /^(\d{4}-\d{2}-\d{2})\.log$/.exec(name)?.[1];
      if (day === undefined) continue;
      sent.#readDay(day);
    }
    sent.#prune(dayOf(now));
    return sent;
  }

  /** Another process may have written to the files of today and of the day before. */
  readWhatOthersWrote(now: number): void {
    for (const day of [dayOf(now - DAY_MS), dayOf(now)]) {
      const file = statSync(fileOf(this.#directory, day), { throwIfNoEntry: false });
      if (file !== undefined && file.size > (this.#bytes.get(day) ?? 0)) this.#readDay(day);
    }
  }

  noteWritten(day: string, bytes: number): void {
    this.#bytes.set(day, (this.#bytes.get(day) ?? 0) + bytes);
  }

  #readDay(day: string): void {
    const text = readFileSync(fileOf(this.#directory, day), 'utf8');
    this.#days.set(day, new Set(text.split('\n')));
    this.#bytes.set(day, Buffer.byteLength(text));
  }

  has(key: string): boolean {
    return [...this.#days.values()].some((keys) => keys.has(key));
  }

  add(day: string, key: string): void {
    const keys = this.#days.get(day);
    if (keys !== undefined) {
      keys.add(key);
      return;
    }
    this.#days.set(day, new Set([key]));
    this.#prune(day);
  }

  #prune(today: string): void {
    const oldest = dayOf(Date.parse(today) - KEPT_DAYS * DAY_MS);
    for (const day of this.#days.keys()) {
      if (day >= oldest) continue;
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
