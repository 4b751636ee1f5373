import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clearAbandonedFolders } from './cluster-folder.ts';

async function folderOf(run: string): Promise<{ parent: string; folder: string }> {
  const parent = await mkdtemp(join(tmpdir(), 'folders-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'reunite-test-abc');
  await mkdir(folder);
  await writeFile(join(folder, 'test-run.pid'), run);
  return { parent, folder };
}

/** The id of a process that has ended. */
async function endedProcess(): Promise<string> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return String(child.pid);
}

test('the remains of a killed test run are removed, including its server', async () => {
  const { parent, folder } = await folderOf(await endedProcess());
  const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'postgres', `${folder}/data`]);
  const ended = once(server, 'exit');
  await once(server, 'spawn');
  await clearAbandonedFolders(parent);
  await expect(access(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await ended).toEqual([null, 'SIGQUIT']);
});

test.each([
  ['a test run that goes on', String(process.pid)],
  ['a folder that is being made', ''],
])('%s is left alone', async (_, run) => {
  const { parent, folder } = await folderOf(run);
  await clearAbandonedFolders(parent);
  await access(folder);
});
