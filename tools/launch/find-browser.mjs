import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { environment, root, runtime } from './runtime.mjs';
import { giveUp, say } from './say.mjs';

const NAMED_BY = ['CHROMIUM_PATH', 'PLAYWRIGHT_CHROMIUM', 'CHROME_PATH'];
/** Chromium without windows, tabs and toolbars: it needs about two thirds of the time of the others. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FONTS = ['fonts-liberation', 'fonts-dejavu-core'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The program of the browser for the tests: one that is named, else Debian's headless shell where it is or can be
 * installed, else any that is there, else Debian's Chromium, else Playwright's own download. Ends the launcher with a
 * sentence where there is none to be had.
 */
export function findBrowser() {
  const known = named() ?? installed([SHELL]);
  if (known !== null) return known;
  if (canInstallDebianPackages()) {
    // Not every release has it.
    installDebianPackages([SHELL, ...FONTS], { purpose: 'a quick browser for the tests' });
    const shell = installed([SHELL]);
    if (shell !== null) return shell;
    say(`${SHELL} cannot be installed here: another browser will do.`);
  }
  const present = installed(NAMES) ?? downloaded();
  if (present !== null) return present;
  if (canInstallDebianPackages()) {
    const failure = installDebianPackages(['chromium', ...FONTS], { purpose: 'a browser for the tests' });
    const chromium = installed(NAMES);
    if (chromium !== null) return chromium;
    process.stderr.write(failure ?? '');
  }
  say("Downloading Playwright's Chromium for the browser tests …");
  const { stdout, stderr } = spawnSync(runtime, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'], {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
  const fresh = downloaded();
  if (fresh !== null) return fresh;
  process.stderr.write(`${stdout}${stderr}`);
  return giveUp(
    'The browser tests need a Chromium or Chrome: install one, or name it with CHROMIUM_PATH=/path/to/chrome.',
  );
}

function named() {
  for (const name of NAMED_BY) {
    const path = process.env[name];
    if (path) return runs(path) ? path : giveUp(`${name} names ${path}, which is not a browser that runs here.`);
  }
  return null;
}

function installed(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...candidates, ...(names === NAMES ? [MAC] : [])].find((path) => runs(path)) ?? null;
}

function downloaded() {
  const path = createRequire(join(root, 'package.json'))('@playwright/test').chromium.executablePath();
  return runs(path) ? path : null;
}

/** Some systems have a program of that name that only says where to get the real one; and a download may lack libraries. */
function runs(path) {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
