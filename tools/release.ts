import { parseArgs } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';
import { makeRelease, readRelease } from './release/make-release.ts';

// Makes the tag of this version with the changelog's notes. `--notes` prints them and makes nothing.
const { notes } = parseArgs({ options: { notes: { type: 'boolean' } } }).values;
try {
  if (notes === true) {
    console.log((await readRelease(PROJECT_ROOT)).notes);
  } else {
    const tag = await makeRelease(PROJECT_ROOT);
    console.log(`${tag} is made. Look at it with "git show ${tag}", then publish it: git push origin ${tag}`);
  }
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
