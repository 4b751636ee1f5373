import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, root, runtime } from './runtime.mjs';
import { giveUp, say } from './say.mjs';
import { digestOf, isStamped, stamp } from './stamp.mjs';

const PAGES = {
  name: 'pages',
  finished: join(root, 'build/.built'),
  sources: [
    'app',
    'domain',
    'public',
    'tools/vite',
    'vite.config.ts',
    'react-router.config.ts',
    'tsconfig.json',
    'package-lock.json',
  ],
  command: ['node_modules/@react-router/dev/bin.cjs', 'build'],
};
const PROGRAM = {
  name: 'server',
  // In the folder that the build empties.
  finished: join(root, 'build/program/.built'),
  sources: ['server', 'domain', 'tools/vite/program.ts', 'tsconfig.json', 'package-lock.json'],
  command: ['node_modules/vite/bin/vite.js', 'build', '--config', 'tools/vite/program.ts'],
};

/** Builds the pages and the server's bundle where their sources have changed since the last build. */
export function build(out) {
  for (const part of [PAGES, PROGRAM]) buildPart(part, out);
}

function buildPart({ name, finished, sources, command }, out) {
  const digest = digestOf(root, sources);
  if (isStamped(finished, digest)) return;
  say(`Building the ${name} …`, out);
  // An interrupted build must not be taken for the previous one.
  rmSync(finished, { force: true });
  const { status, stdout, stderr } = spawnSync(runtime, command, {
    cwd: root,
    encoding: 'utf8',
    env: environment({ NODE_ENV: 'production' }),
  });
  if (status !== 0) giveUp(`${stdout}\n${stderr}\nThe ${name} could not be built.`);
  stamp(finished, digest);
}
