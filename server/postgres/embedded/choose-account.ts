import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';

const run = promisify(execFile);

/** An account of this machine, by numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const OWN_ACCOUNT = 'reunite';
const EXISTING_ACCOUNTS = ['postgres', 'nobody'];

/**
 * The account that PostgreSQL runs as: null where that is simply ours. PostgreSQL refuses to run as root, so root
 * gets an account without a home or a shell, made on the first start; where none can be made, one that is there.
 */
export async function chooseAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const own = await find(OWN_ACCOUNT);
  if (own !== null) return own;
  const flags = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ];
  // Two first starts at once: one of them makes it, and both find it.
  await run('useradd', [...flags, OWN_ACCOUNT]).catch(() => undefined);
  for (const name of [OWN_ACCOUNT, ...EXISTING_ACCOUNTS]) {
    const account = await find(name);
    if (account !== null) return account;
  }
  throw new OperatorError(
    'PostgreSQL does not run as root, and this machine has no account that it could run as. Make one: useradd --system reunite',
  );
}

async function find(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

/** Whether the account can enter the folder or run the program; asked of the system, as that account. */
export async function canReach(account: Account | null, path: string): Promise<boolean> {
  try {
    await run('test', ['-x', path], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
