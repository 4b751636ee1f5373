import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { makeClusterFolder } from './cluster-folder.ts';
import { makeTemplate } from './make-template.ts';
import { startDebianCluster } from './start-debian-cluster.ts';
import { startPgBouncer } from './start-pgbouncer.ts';

/** Of each test database, through PgBouncer: fewer than the six processes of an installation would open. */
const SESSIONS = 8;

/** PostgreSQL 15 and PgBouncer before it, for the project `several-servers`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startDebianCluster();
  const folder = await makeClusterFolder();
  const stop = async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await makeTemplate(cluster.address);
    const pooler = await startPgBouncer(cluster.address, { folder, sessions: SESSIONS });
    project.provide('cluster', { engine: 'debian-15', address: cluster.address });
    project.provide('pooler', pooler.address);
    return async () => {
      await pooler.kill();
      await stop();
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
