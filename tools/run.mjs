// `node tools/run.mjs tools/program.ts …`: runs a program of ours on the pinned runtime, and sets that up where it is
// missing. Plain JavaScript, because it runs on whatever Node is there (20.19 or newer) before anything is installed.
import { spawnSync } from 'node:child_process';
import { environment, runtime } from './launch/runtime.mjs';
import { setUp } from './launch/set-up.mjs';

// What the program prints is for a file or a pipe; words about the setting up are not.
setUp({ pages: false, out: process.stderr });
const { status } = spawnSync(runtime, process.argv.slice(2), { stdio: 'inherit', env: environment() });
process.exit(status ?? 1);
