import type { TestProject } from 'vitest/node';
import { provideCluster } from './provide-cluster.ts';

/** The server of the `postgres-15` suites. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideCluster(project, 'debian-15');
}
