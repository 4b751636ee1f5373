import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeClusterFolder } from '../clusters/cluster-folder.ts';
import { startServiceProcess } from '../service-process.ts';

/** Starts the product once on an empty data folder, for the files that need one that was started before. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeClusterFolder();
  // As root the engine runs as another account, which must be able to reach its data.
  await chmod(folder, 0o711);
  const service = await startServiceProcess({ dataDirectory: folder });
  await service.end('SIGTERM');
  project.provide('preparedData', join(folder, 'postgres'));
  return () => rm(folder, { recursive: true, force: true });
}
