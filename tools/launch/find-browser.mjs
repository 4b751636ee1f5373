import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { environment, root, runtime } from './runtime.mjs';
import { giveUp, say } from './say.mjs';

const NAMED_BY = ['CHROMIUM_PATH', 'PLAYWRIGHT_CHROMIUM', 'CHROME_PATH'];
/** Chromium without a user interface: tests take about two thirds of the time of other browsers. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FONTS = ['fonts-liberation', 'fonts-dejavu-core'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * Returns the path of the browser for the tests. In order: the one named in the environment; Debian's headless shell,
 * installed where possible; any installed browser; Debian's Chromium; Playwright's download. Exits with a message where
 * none is available.
 */
export function findBrowser() {
  const known = named() ?? installed([SHELL]);
  if (known !== null) return known;
  if (canInstallDebianPackages()) {
    // Some Debian releases do not have it.
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

/** Some systems have a placeholder program of that name, and a download may lack libraries. */
function runs(path) {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
