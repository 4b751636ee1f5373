import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { makeRelease, readRelease } from '#tools/release/make-release.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

test('a release is an annotated tag with the notes of the changelog; a dirty tree, no notes, and a second tag are refused', async () => {
  const folder = await temporaryFolder();
  const git = async (...words: string[]) => (await run('git', words, { cwd: folder })).stdout;
  const commit = () => git('add', '--all').then(() => git('commit', '--quiet', '--message', 'Change'));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await git('init', '--quiet');
  await git('config', 'user.name', 'Olga');
  await git('config', 'user.email', 'olga@example.com');
  await write('package.json', '{ "version": "1.2.0" }');
  await write('CHANGELOG.md', '# Changelog\n\n## 1.1.0\n\nBefore.\n');
  await commit();
  await expect(makeRelease(folder)).rejects.toThrow('CHANGELOG.md says nothing of 1.2.0');

  await write('CHANGELOG.md', '# Changelog\n\n## 1.2.0\n\n- Found\n# items\n\n## 1.1.0\n\nBefore.\n');
  await expect(makeRelease(folder)).rejects.toThrow('Commit or remove these changes first:\nM CHANGELOG.md');
  expect(await git('tag')).toBe('');

  await commit();
  expect(await makeRelease(folder)).toBe('v1.2.0');
  expect(await git('tag', '--list', '--format=%(objecttype) %(contents)')).toBe(
    'tag Reunite 1.2.0\n\n- Found\n# items\n\n',
  );
  await expect(makeRelease(folder)).rejects.toThrow('v1.2.0 exists');
});

test('the changelog says something of this release, and the lock file has its version', async () => {
  const { version, notes } = await readRelease(root);
  expect(notes).not.toBe('');
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});

test('the release workflow builds this image, and takes each action by a version and not by a branch', async () => {
  const workflow = await readFile(join(root, '.github/workflows/release.yml'), 'utf8');
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(5);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@(v\d+|[0-9a-f]{40})$/);
  const [, file = ''] = /file: (\S+)/.exec(workflow) ?? [];
  expect(existsSync(join(root, file)), file).toBe(true);
  for (const [, program = ''] of workflow.matchAll(/node (tools\/\S+)/g))
    expect(existsSync(join(root, program))).toBe(true);
  expect(workflow).toContain('platforms: linux/amd64,linux/arm64');
  expect(workflow).toContain('cosign sign --yes "$IMAGE_DIGEST"');
  expect(workflow).toContain('sbom: true');
});
