import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root, runtime } from './runtime.mjs';
import { giveUp, say } from './say.mjs';
import { isStamped, stamp } from './stamp.mjs';

const FINISHED = join(root, 'node_modules/.reunite-installed');

/** Installs from the lockfile what is missing; does nothing where the last installation was of this very lockfile. */
export function install(out) {
  const digest = digestOfPackages();
  if (existsSync(runtime) && isStamped(FINISHED, digest)) return;
  if (!isInstalledAlready()) {
    say('Installing the packages (once, about a minute) …', out);
    runNpm();
    if (!existsSync(runtime)) {
      giveUp(
        'The pinned Node is missing after the installation: npm must be allowed to run the install scripts that package.json names.',
      );
    }
  }
  stamp(FINISHED, digest);
}

/** What an installation depends on: the lockfile, what package.json says of packages, and the kind of machine. */
function digestOfPackages() {
  const { dependencies, devDependencies, overrides, allowScripts } = readJson('package.json');
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(JSON.stringify([dependencies, devDependencies, overrides, allowScripts, process.platform, process.arch]))
    .digest('hex');
}

/** Whether somebody ran `npm ci` here by hand: npm notes in `node_modules` what it has put there. */
function isInstalledAlready() {
  if (spawnSync(runtime, ['--version']).status !== 0) return false;
  try {
    const { '': ours, ...wanted } = readJson('package-lock.json').packages;
    const named = readJson('package.json');
    // A package.json that the lockfile does not follow is for npm to complain about.
    for (const kind of ['dependencies', 'devDependencies']) {
      if (!isDeepStrictEqual(ours[kind] ?? {}, named[kind] ?? {})) return false;
    }
    const present = readJson('node_modules/.package-lock.json').packages;
    return Object.entries(wanted).every(([path, { version, optional }]) =>
      present[path] === undefined ? optional === true : present[path].version === version,
    );
  } catch {
    return false;
  }
}

function runNpm() {
  // The npm that runs this script, by the Node that runs it; else the one on the PATH.
  const npm = process.env.npm_execpath ?? '';
  const [program, ...first] = basename(npm) === 'npm-cli.js' ? [process.execPath, npm] : ['npm'];
  const { status, error } = spawnSync(
    program,
    [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--ignore-scripts=false'],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: outsideOfNpm() },
  );
  if (status === 0) return;
  giveUp(`The packages could not be installed: npm ${error ? `did not start (${error.message})` : 'said why above'}.`);
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

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
