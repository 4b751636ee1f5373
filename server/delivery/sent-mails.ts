import { hash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log.ts';
import type { Delivery } from './delivery.ts';

const DAY_MS = 86_400_000;
/** Longer than a job is tried again. */
const KEPT_DAYS = 7;

export interface SentMailsOptions {
  /** Made where it is missing. It holds a file for each day. */
  readonly directory: string;
  readonly log: ServiceLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The same delivery, which hands an e-mail with a key to the mail server once: as soon as that server has accepted it,
 * and before anything else happens, its key is written to a file, where it survives this process. A job that did not
 * live to be marked as done is done again, and finds the key. Files hold fingerprints of keys, and are kept for a week.
 */
export async function rememberSentMails(
  delivery: Delivery,
  { directory, log, now }: SentMailsOptions,
): Promise<Delivery> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const sent = await readSent(directory, now());
  return {
    ...delivery,
    async sendEmail(email) {
      const { key } = email;
      if (key === undefined) return delivery.sendEmail(email);
      const line = fingerprint(key);
      if (sent.has(line)) return;
      await delivery.sendEmail(email);
      sent.add(line);
      try {
        // Not awaited: nothing may come between the server's word and this.
        appendFileSync(join(directory, `${dayOf(now())}.log`), `${line}\n`, { mode: 0o600 });
      } catch (error) {
        log.warn({ err: error }, 'A sent e-mail could not be noted; a crash at this moment would send it twice.');
      }
    },
  };
}

/** Reads what was sent lately, and removes what is older. */
async function readSent(directory: string, now: number): Promise<Set<string>> {
  const oldest = `${dayOf(now - KEPT_DAYS * DAY_MS)}.log`;
  const sent = new Set<string>();
  for (const name of await readdir(directory)) {
    if (!/^\d{4}-\d{2}-\d{2}\.log$/.test(name)) continue;
    if (name < oldest) await rm(join(directory, name), { force: true });
    else for (const line of (await readFile(join(directory, name), 'utf8')).split('\n')) sent.add(line);
  }
  return sent;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function fingerprint(key: string): string {
  return hash('sha256', key, 'base64url');
}
