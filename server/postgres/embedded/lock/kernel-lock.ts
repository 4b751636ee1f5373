import { spawn } from 'node:child_process';
import { closeSync, constants, fchownSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { OperatorError } from '#server/operator-error.ts';
import { type Account, SYSTEM } from '../choose-account.ts';

/** The flag of open(2) that locks as it opens: `O_EXLOCK` of macOS, and libuv's `UV_FS_O_EXLOCK` on Windows. */
const OPEN_LOCKED: Partial<Record<NodeJS.Platform, number>> = { darwin: 0x20, win32: 0x10000000 };

/**
 * Opens the file, creates it where it is missing, and takes the kernel's exclusive lock on it. Returns the descriptor, or
 * null where the lock is taken. It is free when every process that holds the descriptor or inherited it has closed it or
 * ended, in whatever container it ran. The file must never be removed or replaced: a lock is on what is open.
 *
 * A plain number, because Node closes a `FileHandle` that nothing refers to any more.
 *
 * @throws OperatorError where the file cannot be locked
 */
export async function openLocked(path: string, owner: Account | null): Promise<number | null> {
  const flag = OPEN_LOCKED[process.platform];
  let fd: number;
  try {
    fd = openOrCreate(path, flag === undefined ? 0 : flag | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (flag !== undefined && (code === 'EAGAIN' || code === 'EBUSY')) return null;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new OperatorError(`${path} belongs to another account. Start as that account or as root.`, { cause: error });
  }
  try {
    if (flag === undefined && !(await lock(fd, path))) {
      closeSync(fd);
      return null;
    }
    if (owner !== null) fchownSync(fd, owner.uid, owner.gid);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Linux does not let root create over another account's file in a folder such as `/tmp` (proc_sys_fs(5)). */
function openOrCreate(path: string, flags: number): number {
  const plain = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | flags;
  for (;;) {
    try {
      return openSync(path, plain);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
    try {
      return openSync(path, plain | constants.O_CREAT | constants.O_EXCL, 0o600);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Node cannot call flock(2). The lock that flock(1) takes on an inherited descriptor stays when flock(1) has ended. */
async function lock(fd: number, path: string): Promise<boolean> {
  const program = spawn('flock', ['-n', '3'], { env: SYSTEM, stdio: ['ignore', 'ignore', 'pipe', fd] });
  const ended = new Promise<number | null>((resolve, reject) => {
    program.once('error', reject).once('close', resolve);
  });
  try {
    const [code, said] = await Promise.all([ended, program.stderr === null ? '' : text(program.stderr)]);
    if (code === 0) return true;
    // It is silent where the lock is taken.
    if (code === 1 && said === '') return false;
    throw new OperatorError(`${path} cannot be locked: ${said.trim() || `flock ended with ${code}`}`);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new OperatorError(
      'The embedded PostgreSQL needs the program flock, which keeps a second server off its data. Install util-linux, or set DATABASE_URL.',
      { cause: error },
    );
  }
}
