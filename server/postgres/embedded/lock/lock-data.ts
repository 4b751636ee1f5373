import { closeSync, fsyncSync, ftruncateSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { Account } from '../choose-account.ts';
import { endEngine } from '../end-engine.ts';
import { beginningOf, postgresProcessesIn } from '../processes.ts';
import { openLocked } from './kernel-lock.ts';

/** The right to start, repair and stop PostgreSQL on a data folder. One server and its PostgreSQL hold it at a time. */
export interface DataLock {
  /** Each PostgreSQL that is started on the data must inherit it, and so holds the lock as long as it runs. */
  readonly fd: number;
  release(): void;
}

export interface LockOptions {
  readonly account: Account | null;
  readonly log: ServiceLog;
  /** How long a server that cannot be seen from here may take to leave, in milliseconds. */
  readonly waitMs?: number | undefined;
}

/** What a holder writes into the locked file. It explains a lock that is taken, and decides nothing. */
interface Holder {
  readonly pid: number;
  readonly beginning: string;
  /** Within which `pid` is meant; empty where there is one for all processes. */
  readonly namespace: string;
}

const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;

/**
 * Locks the data folder before anything in it is touched. What a killed server has left running here is ended. A holder
 * in another container may be about to leave and is waited for.
 *
 * @throws OperatorError where another server goes on holding it
 */
export async function lockData(data: string, { account, log, waitMs = WAIT_MS }: LockOptions): Promise<DataLock> {
  const path = `${data}.lock`;
  const deadline = performance.now() + waitMs;
  for (let looks = 0; ; looks += 1) {
    // Listed before the holder is read: what runs by then cannot have been started by one that comes after it.
    const engine = postgresProcessesIn(data);
    const fd = await openLocked(path, account);
    if (fd !== null) {
      note(fd, { pid: process.pid, beginning: beginningOf(process.pid) ?? '', namespace: pidNamespace() });
      return { fd, release: () => closeSync(fd) };
    }
    const holder = readHolder(path);
    const isHere = holder !== null && holder.namespace === pidNamespace();
    if (isHere && beginningOf(holder.pid) === holder.beginning) throw alreadyRunning(data, ` (process ${holder.pid})`);
    if (isHere && engine.length > 0) {
      await endEngine(engine, data, log);
      continue;
    }
    if (performance.now() > deadline) throw alreadyRunning(data, ', which cannot be seen from here,');
    if (looks === 1) log.info({}, `Another server uses the data; waiting up to ${waitMs / 1_000} s for its end.`);
    await pause(LOOK_EVERY_MS);
  }
}

function alreadyRunning(data: string, which: string): OperatorError {
  return new OperatorError(
    `Another server${which} is already running on the data in ${dirname(data)}. Stop it first, or give this one its own folder with DATA_DIRECTORY.`,
  );
}

function note(fd: number, holder: Holder): void {
  ftruncateSync(fd);
  writeSync(fd, `${JSON.stringify(holder)}\n`, 0);
  fsyncSync(fd);
}

/** Returns null where it is not written yet or cannot be read. */
function readHolder(path: string): Holder | null {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof holder !== 'object' || holder === null) return null;
    if (!('pid' in holder && 'beginning' in holder && 'namespace' in holder)) return null;
    const { pid, beginning, namespace } = holder;
    return { pid: Number(pid), beginning: String(beginning), namespace: String(namespace) };
  } catch {
    return null;
  }
}

function pidNamespace(): string {
  return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : '';
}
