import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, root, runtime } from './runtime.mjs';
import { giveUp, say } from './say.mjs';
import { digestOf, isStamped, stamp } from './stamp.mjs';

const FINISHED = join(root, 'build/.built');
const SOURCES = [
  'app',
  'domain',
  'public',
  'tools/vite',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
  'package-lock.json',
];

/** Builds the pages where their sources have changed since the last build. */
export function build(out) {
  const digest = digestOf(root, SOURCES);
  if (isStamped(FINISHED, digest)) return;
  say('Building the pages …', out);
  // A build that is cut off must not pass for the one before it.
  rmSync(FINISHED, { force: true });
  const { status, stdout, stderr } = spawnSync(runtime, ['node_modules/@react-router/dev/bin.cjs', 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: environment({ NODE_ENV: 'production' }),
  });
  if (status !== 0) giveUp(`${stdout}\n${stderr}\nThe pages could not be built.`);
  stamp(FINISHED, digest);
}
