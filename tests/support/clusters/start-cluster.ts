import type { Engine, TestCluster } from './cluster.ts';
import { startDebianCluster } from './start-debian-cluster.ts';
import { startEmbeddedCluster } from './start-embedded-cluster.ts';

/** Starts a new, empty server of one kind. */
export function startCluster(engine: Engine): Promise<TestCluster> {
  return engine === 'embedded' ? startEmbeddedCluster() : startDebianCluster();
}
