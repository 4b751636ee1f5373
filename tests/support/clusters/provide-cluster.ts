import type { TestProject } from 'vitest/node';
import type { Engine } from './cluster.ts';
import { makeTemplate } from './make-template.ts';
import { startCluster } from './start-cluster.ts';
import type { ProvidedCluster } from './this-cluster.ts';

/** One server for all test files of a project, with the migrated template on it. Resolves with what ends it. */
export async function provideCluster(project: TestProject, engine: Engine): Promise<() => Promise<void>> {
  const cluster = await startCluster(engine);
  try {
    await makeTemplate(cluster.address);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  const provided: ProvidedCluster = { engine, address: cluster.address };
  project.provide('cluster', provided);
  return () => cluster.stop();
}
