import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#server/data-folder/whole-file.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { Account } from './choose-account.ts';
import type { DataLock } from './lock/lock-data.ts';

export const SUPERUSER = 'reunite';
export const PASSWORD_FILE = 'reunite-password';

/** 192 random bits, as letters, digits, `-` and `_`. */
export function generatePassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Stores the password in the data folder, which no other account can enter, so that it moves with the data. */
export async function keepPassword(data: string, password: string, account: Account | null): Promise<void> {
  await replaceFile(join(data, PASSWORD_FILE), `${password}\n`, { owner: account });
}

/**
 * Returns the stored password, or sets a new one where the file was lost. PostgreSQL must not be running on the folder.
 */
export async function readPassword(
  postgres: string,
  data: string,
  { account, lock }: { account: Account | null; lock: DataLock },
): Promise<string> {
  const kept = (await readFile(join(data, PASSWORD_FILE), 'utf8').catch(() => '')).trim();
  if (kept !== '') return kept;
  const password = generatePassword();
  await setPassword(postgres, data, { account, lock, password });
  await keepPassword(data, password, account);
  return password;
}

/** Uses PostgreSQL's single-user mode, which requires no password. */
async function setPassword(
  postgres: string,
  data: string,
  { account, lock, password }: { account: Account | null; lock: DataLock; password: string },
): Promise<void> {
  const child = spawn(postgres, ['--single', '-D', data, 'postgres'], {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe', lock.fd],
  });
  const said: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(`alter role "${SUPERUSER}" password '${password}'\n`);
  const [code] = await once(child, 'close');
  const words = Buffer.concat(said).toString('utf8');
  // Single-user mode exits with 0 even after a failed statement.
  if (code === 0 && !/^.*(ERROR|FATAL|PANIC):/m.test(words)) return;
  throw new OperatorError(`The database in ${data} lost its password, and a new one could not be set: ${words.trim()}`);
}
