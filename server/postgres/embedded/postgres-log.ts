import { copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises';
import type { Account } from './choose-account.ts';

/** 4 MiB, plus as much in the previous file. */
const LARGEST_BYTES = 4 * 1024 * 1024;
const LOOK_EVERY_MS = 60_000;
const LAST_WORDS_LINES = 5;

/**
 * The log file of PostgreSQL. PostgreSQL writes to it directly, so that a busy or dead server of ours never blocks it.
 */
export class PostgresLog {
  readonly path: string;
  #watch: NodeJS.Timeout | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Opens the file for PostgreSQL to append to. */
  async open(account: Account | null): Promise<FileHandle> {
    await this.#keepSmall();
    this.#watch ??= setInterval(() => void this.#keepSmall().catch(() => undefined), LOOK_EVERY_MS).unref();
    const file = await open(this.path, 'a', 0o600);
    if (account !== null) await file.chown(account.uid, account.gid);
    return file;
  }

  /** Returns its length in bytes. */
  async length(): Promise<number> {
    return stat(this.path).then(
      ({ size }) => size,
      () => 0,
    );
  }

  /** Returns the last lines written after the first `position` bytes. */
  async wordsSince(position: number): Promise<string> {
    const file = await open(this.path, 'r').catch(() => null);
    if (file === null) return '';
    try {
      const { size } = await file.stat();
      const from = Math.max(position > size ? 0 : position, size - 16_384);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-LAST_WORDS_LINES).join('\n');
    } finally {
      await file.close();
    }
  }

  close(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Copied and truncated, not renamed: PostgreSQL has it open and appends. */
  async #keepSmall(): Promise<void> {
    if ((await this.length()) <= LARGEST_BYTES) return;
    await copyFile(this.path, `${this.path}.1`);
    await truncate(this.path);
  }
}
