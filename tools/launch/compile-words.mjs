import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environment, root, runtime } from './runtime.mjs';
import { giveUp } from './say.mjs';

/** Compiles the message files, which the server, the pages, and the checks of types read as modules. */
export function compileWords() {
  const { status, stderr } = spawnSync(runtime, [join(root, 'tools/compile-words.ts')], {
    cwd: root,
    encoding: 'utf8',
    env: environment(),
  });
  if (status !== 0) giveUp(stderr);
}
