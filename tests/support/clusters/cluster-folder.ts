import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { THROW_AWAY_PLACE } from '../throw-away-place.ts';

const PREFIX = 'reunite-test-';
const OWNER_FILE = 'test-run.pid';

/**
 * Makes a folder for one throw-away server, and clears away those whose test run was killed before it could do so.
 * Its path is short: a Unix socket's must stay below 108 bytes.
 */
export async function makeClusterFolder(): Promise<string> {
  await clearAbandonedFolders();
  const folder = await mkdtemp(join(THROW_AWAY_PLACE, PREFIX));
  await writeFile(join(folder, OWNER_FILE), String(process.pid));
  return folder;
}

/** Ends the servers and deletes the folders of test runs that no longer live. */
export async function clearAbandonedFolders(parent: string = THROW_AWAY_PLACE): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(parent, name);
    const owner = Number(await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => ''));
    // Without a number it is being made at this moment, or it is not ours.
    if (owner === 0 || isAlive(owner)) continue;
    await endServersUnder(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ends every PostgreSQL whose command line names the folder as the place of its data. */
async function endServersUnder(folder: string): Promise<void> {
  for (const { pid, command } of await runningCommands()) {
    if (!/\bpostgres\b/.test(command) || !command.includes(`${folder}/`)) continue;
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has ended in the meantime: another test run cleans up too.
      continue;
    }
    for (let waited = 0; isAlive(pid) && waited < 50; waited += 1) await pause(100);
  }
}

interface RunningCommand {
  readonly pid: number;
  readonly command: string;
}

async function runningCommands(): Promise<RunningCommand[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,args=']);
    return stdout.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim() }));
  }
  // Not every machine has ps. The arguments are separated by zeros (proc_pid_cmdline(5)).
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(commands)).map((command, index) => ({
    pid: Number(pids[index]),
    command: command.replaceAll('\0', ' '),
  }));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
