import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';

const run = promisify(execFile);

/** An account of this machine, by user and group id. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Root's PATH may lack the folders of system programs. */
export const SYSTEM = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin` };

const OWN_ACCOUNT = 'reunite';
/** Existing accounts of common systems: Debian and Red Hat, macOS, all. */
const EXISTING_ACCOUNTS = ['postgres', '_postgres', 'nobody'];

/**
 * Returns the account that PostgreSQL runs as; null for our own.
 *
 * PostgreSQL refuses to run as root. So root uses the account that owns the data; else a system account without home or
 * shell, created at the first start; else an existing one.
 */
export async function chooseAccount(dataDirectory: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(join(dataDirectory, 'PG_VERSION')).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };

  const own = (await find(OWN_ACCOUNT)) ?? (await make(OWN_ACCOUNT));
  if (own !== null) return own;
  for (const name of EXISTING_ACCOUNTS) {
    const account = await find(name);
    if (account !== null) return account;
  }
  throw new OperatorError(
    'PostgreSQL does not run as root, and this machine has no account that it could run as. Make one (useradd --system reunite), start as an ordinary user, or set DATABASE_URL.',
  );
}

async function make(name: string): Promise<Account | null> {
  const flags = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  // Of two concurrent first starts, one creates the account and both find it.
  await run('useradd', [...flags, '--shell', '/usr/sbin/nologin', name], { env: SYSTEM }).catch(() => undefined);
  return find(name);
}

async function find(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([
      run('id', ['-u', name], { env: SYSTEM }),
      run('id', ['-g', name], { env: SYSTEM }),
    ]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

/** Whether the account can enter the folder, tested as that account. Null is our own account. */
export async function canReach(account: Account | null, folder: string): Promise<boolean> {
  try {
    await run('test', ['-x', folder], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
