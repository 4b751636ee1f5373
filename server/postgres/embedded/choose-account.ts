import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';

const run = promisify(execFile);

/** An account of this machine, by numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Root's PATH does not always have the folders of the system's own programs. */
const SYSTEM = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin` };

const OWN_ACCOUNT = 'reunite';
/** Accounts that are there on many systems: Debian and Red Hat, macOS, everywhere. */
const EXISTING_ACCOUNTS = ['postgres', '_postgres', 'nobody'];

/**
 * The account that PostgreSQL runs as: null where that is simply ours. PostgreSQL refuses to run as root, so root
 * gets the account that the data belongs to already; else one without a home or a shell, made on the first start;
 * where none can be made, one that is there.
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
  // Two first starts at once: one of them makes it, and both find it.
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

/** Whether the account can enter the folder; asked of the system, as that account. Null is our own account. */
export async function canReach(account: Account | null, folder: string): Promise<boolean> {
  try {
    await run('test', ['-x', folder], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
