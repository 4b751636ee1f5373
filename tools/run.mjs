// `node tools/run.mjs tools/program.ts …`: runs a program on the pinned runtime, and installs that where it is missing.
// Plain JavaScript, because it runs on any Node from 20.19 before anything is installed.
import { spawnSync } from 'node:child_process';
import { environment, PROGRAM_OPTIONS, runtime } from './launch/runtime.mjs';
import { setUp } from './launch/set-up.mjs';

// The program's output may go to a file or a pipe; messages about the set-up must not.
setUp({ pages: false, out: process.stderr });
const { status } = spawnSync(runtime, [...PROGRAM_OPTIONS, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment(),
});
process.exit(status ?? 1);
