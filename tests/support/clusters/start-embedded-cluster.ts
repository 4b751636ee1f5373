import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/postgres/embedded/start-embedded-postgres.ts';
import { quietLog } from '../quiet-log.ts';
import { type TestCluster, THROW_AWAY_SETTINGS } from './cluster.ts';
import { makeClusterFolder } from './cluster-folder.ts';

/** Starts a throw-away server of the PostgreSQL that we ship, in the way that the product starts it. */
export async function startEmbeddedCluster(): Promise<TestCluster> {
  const folder = await makeClusterFolder();
  // As root the engine runs as another account, which must be able to reach its data.
  await chmod(folder, 0o711);
  const engine = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'data'),
    log: quietLog,
    settings: { ...THROW_AWAY_SETTINGS },
  });
  return {
    address: engine.address,
    async stop() {
      await engine.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
