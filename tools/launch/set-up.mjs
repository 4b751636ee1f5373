import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { giveUp, say } from './say.mjs';
import { digestOf, isStamped, stamp } from './stamp.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The Node that everything but the launchers runs on. */
export const runtime = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The environment in which the pinned runtime and the installed programs come first. */
export function environment(extra = {}) {
  const path = [dirname(runtime), join(root, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);
  return { ...process.env, PATH: path, ...extra };
}

/** Refuses a Node that is too old to install the packages. */
export function checkLauncherVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  giveUp(`Reunite needs Node 20.19 or newer to set itself up; this is ${process.versions.node}.`);
}

/** Installs from the lockfile what is missing; does nothing where the last installation was of this very lockfile. */
export function install() {
  const finished = join(root, 'node_modules/.installed');
  const digest = digestOf(root, ['package.json', 'package-lock.json']);
  if (isStamped(finished, digest) && existsSync(runtime)) return;
  say('Installing the packages (once, about a minute) …');
  // The npm that runs this script, by the Node that runs it; else the one on the PATH.
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const { status, error } = spawnSync(
    program,
    [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--ignore-scripts=false'],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: outsideOfNpm() },
  );
  if (status !== 0)
    giveUp(
      `The packages could not be installed: npm ${error ? `did not start (${error.message})` : 'said why above'}.`,
    );
  if (!existsSync(runtime)) {
    giveUp(
      'The pinned Node is missing after the installation: npm must be allowed to run the install scripts that package.json names.',
    );
  }
  stamp(finished, digest);
}

/**
 * The environment as it was before `npm start`. What npm adds for its own script would tell the npm inside an install
 * script (that of `node` has one) to install into our folder instead of its own.
 */
function outsideOfNpm() {
  const ours =
    /^(npm_(package|lifecycle|command|config_local_prefix|config_prefix|config_global_prefix|node_execpath|execpath)|INIT_CWD$)/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: 'development' };
}

/** Builds the pages where their sources have changed since the last build. */
export function build() {
  const finished = join(root, 'build/.built');
  const sources = [
    'app',
    'domain',
    'public',
    'tools/vite',
    'vite.config.ts',
    'react-router.config.ts',
    'package-lock.json',
  ];
  const digest = digestOf(root, sources);
  if (isStamped(finished, digest)) return;
  say('Building the pages …');
  const { status, stdout, stderr } = spawnSync(runtime, ['node_modules/@react-router/dev/bin.cjs', 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: environment({ NODE_ENV: 'production' }),
  });
  if (status !== 0) giveUp(`${stdout}\n${stderr}\nThe pages could not be built.`);
  stamp(finished, digest);
}
