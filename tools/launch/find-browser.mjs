import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { giveUp, say } from './say.mjs';
import { environment, root, runtime } from './set-up.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The browser for the tests: one that is named or there, else Debian's, else Playwright's own download (for which it
 * returns null: Playwright finds that by itself).
 */
export function findBrowser() {
  const present = named() ?? onPath() ?? (existsSync(MAC) ? MAC : null);
  if (present !== null) return present;
  if (canInstallDebianPackages()) {
    say("Installing Debian's Chromium for the browser tests …");
    const failure = installDebianPackages('chromium', 'fonts-liberation', 'fonts-dejavu-core');
    const installed = onPath();
    if (installed !== null) return installed;
    process.stderr.write(failure ?? '');
  }
  say("Downloading Playwright's Chromium for the browser tests …");
  const { status } = spawnSync(runtime, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 300_000,
  });
  if (status === 0) return null;
  return giveUp(
    'The browser tests need a Chromium or Chrome: install one, or name it with CHROMIUM_PATH=/path/to/chrome.',
  );
}

function named() {
  for (const name of ['CHROMIUM_PATH', 'CHROME_PATH']) {
    const path = process.env[name];
    if (path) return existsSync(path) ? path : giveUp(`${name} names ${path}, where there is no browser.`);
  }
  return null;
}

function onPath() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) if (existsSync(join(folder, name))) return join(folder, name);
  }
  return null;
}
