import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root, runtime } from './runtime.mjs';
import { giveUp, say } from './say.mjs';
import { isStamped, stamp } from './stamp.mjs';

const FINISHED = join(root, 'node_modules/.reunite-installed');

/** Installs packages from the lockfile. Does nothing where the last installation was of the same lockfile. */
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

/**
 * Returns a digest of what an installation depends on: the lockfile, the packages in package.json, and the platform.
 */
function digestOfPackages() {
  const { dependencies, devDependencies, overrides, allowScripts } = readJson('package.json');
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(JSON.stringify([dependencies, devDependencies, overrides, allowScripts, process.platform, process.arch]))
    .digest('hex');
}

/** Whether `npm ci` was run here manually: npm records in `node_modules` what it has installed. */
function isInstalledAlready() {
  if (spawnSync(runtime, ['--version']).status !== 0) return false;
  try {
    const { '': ours, ...wanted } = readJson('package-lock.json').packages;
    const named = readJson('package.json');
    // npm reports a package.json that does not match the lockfile.
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
  // The npm that runs this script, with the Node that runs it; else the npm on the PATH.
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
 * Returns the environment from before `npm start`. Variables that npm sets for its scripts would make an npm within an
 * install script (such as that of `node`) install into our folder.
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
