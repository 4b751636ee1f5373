import { availableParallelism, totalmem } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { giveUp } from './say.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The pinned Node, which everything but the launchers runs on. */
export const runtime = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const MIB = 1_048_576;

/**
 * Returns the options of the runtime for a server in production on a machine with this much memory, in bytes.
 *
 * V8 keeps young objects in two spaces of this size, at most, and copies those in use from one to the other whenever one
 * is full. Where it is larger, that happens less often: a look-up takes a fifth less CPU time with 64 MiB than with 16.
 * V8's own choice is too large for a small machine. `docs/benchmarks.md` has the figures. Several processes divide the
 * memory.
 */
export function serverOptions(memory = availableMemory() / processes(process.env.WEB_PROCESSES)) {
  const wanted = memory / 128 / MIB;
  // V8 takes powers of two.
  const semiSpace = [64, 32].find((size) => size <= wanted) ?? 16;
  return [`--max-semi-space-size=${semiSpace}`];
}

/**
 * The options of the runtime for a program of the command line. Where the spaces of young objects may not grow, its memory
 * stays at what it needs.
 */
export const PROGRAM_OPTIONS = ['--max-semi-space-size=4'];

/** Returns how many processes serve; the server itself refuses an invalid setting. */
function processes(setting) {
  return setting === 'auto' ? availableParallelism() : Math.max(1, Number(setting) || 1);
}

/** A container's limit counts where it is below what the machine has; without one Node says 0 or more than that. */
function availableMemory() {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(totalmem(), limit) : totalmem();
}

/** Node's compile cache, which halves the time of a second start. */
const compiled = join(root, 'node_modules/.cache/compiled');

/** Returns an environment in which the pinned runtime and the installed programs come first in PATH. */
export function environment(extra = {}) {
  const path = [dirname(runtime), join(root, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);
  return { NODE_COMPILE_CACHE: compiled, ...process.env, PATH: path, ...extra };
}

/** Exits where Node or npm is too old to install the packages. */
export function checkVersions() {
  const node = process.versions.node;
  if (!isAtLeast(node, 20, 19)) giveUp(`Reunite needs Node 20.19 or newer to set itself up; this is ${node}.`);
  // npm's user agent: "npm/10.9.2 node/v20.19.0 linux x64".
  const npm = /^npm\/(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1];
  if (npm !== undefined && !isAtLeast(npm, 10, 0)) {
    giveUp(`Reunite needs npm 10 or newer to set itself up; this is ${npm}. Get it with: npm install --global npm`);
  }
}

function isAtLeast(version, major, minor) {
  const [ours = 0, oursMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ours > major || (ours === major && oursMinor >= minor);
}
