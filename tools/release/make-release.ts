import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';

const run = promisify(execFile);

/** The version of `package.json`, and what the changelog says of it. Throws an OperatorError where that is nothing. */
export async function readRelease(folder: string): Promise<{ readonly version: string; readonly notes: string }> {
  // npm refuses a file without a version.
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { version, notes: notesOf(await readFile(join(folder, 'CHANGELOG.md'), 'utf8'), version) };
}

/**
 * Makes the annotated tag of the version in `package.json`, with the changelog's notes. Returns its name. It pushes nothing.
 *
 * @throws OperatorError where something is not committed, the changelog says nothing of the version, or the tag exists.
 */
export async function makeRelease(folder: string): Promise<string> {
  const git = async (...words: string[]) => (await run('git', words, { cwd: folder })).stdout.trim();
  const { version, notes } = await readRelease(folder);
  const tag = `v${version}`;
  const changed = await git('status', '--porcelain');
  if (changed !== '') throw new OperatorError(`Commit or remove these changes first:\n${changed}`);
  if ((await git('tag', '--list', tag)) !== '') {
    throw new OperatorError(`${tag} exists. Set the next version: npm version --no-git-tag-version 1.2.3`);
  }
  // A line of the notes that begins with # is text, not a comment.
  await git('tag', '--annotate', tag, '--cleanup=verbatim', '--message', `Reunite ${version}\n\n${notes}\n`);
  return tag;
}

/**
 * Returns what the changelog says of a release, without its heading.
 *
 * @throws OperatorError where it has no section of this version, or an empty one.
 */
function notesOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((section) => section.split('\n', 1)[0]?.trim() === version);
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new OperatorError(`CHANGELOG.md says nothing of ${version}. Add a section "## ${version}".`);
  return notes;
}
