import type { TestProject } from 'vitest/node';
import type { PostgresAddress } from '#server/postgres/address.ts';
import type { Engine } from './cluster.ts';
import { makeTemplate } from './make-template.ts';
import { startCluster } from './start-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this test run: which kind it is, and where. */
    cluster: { readonly engine: Engine; readonly address: PostgresAddress };
  }
}

/** One server for all test files of a project, with the migrated template on it. Resolves with what ends it. */
export async function provideCluster(project: TestProject, engine: Engine): Promise<() => Promise<void>> {
  const cluster = await startCluster(engine);
  try {
    await makeTemplate(cluster.address);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  project.provide('cluster', { engine, address: cluster.address });
  return () => cluster.stop();
}
