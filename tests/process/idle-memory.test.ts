import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeSecrets } from '#server/start/secrets.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { childrenOf } from '#tests/support/processes.ts';
import { productionEnvironment } from '#tests/support/production-environment.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';

const MB = 1_000_000;

test.runIf(process.platform === 'linux')(
  'an idle server with its database takes less than 180 MB on a small machine',
  async () => {
    const port = await ownPort();
    const { DATABASE_URL: _, ...environment } = productionEnvironment({ port, secrets: await makeSecrets() });
    const service = await startServiceProcess({
      dataDirectory: await preparedFolder(),
      port,
      program: 'build/program/main.js',
      environment: {
        ...environment,
        // What each has by itself on a machine of 1 GB.
        NODE_OPTIONS: '--max-semi-space-size=16',
        EMBEDDED_SHARED_BUFFERS: '128',
      },
    });
    try {
      const { pid = 0 } = service.child;
      // The processes of PostgreSQL share what they hold. Others that run Node share its program, as on no small machine.
      const bytes = () => {
        const engine = descendantsOf(pid).map((child) => memoryOf(child, 'Pss'));
        return engine.reduce((sum, each) => sum + each, memoryOf(pid, 'Rss'));
      };
      expect(descendantsOf(pid).length).toBeGreaterThan(5);
      // What a start needs is given back after a while.
      await expect.poll(bytes, { timeout: 90_000, interval: 1_000 }).toBeLessThan(180 * MB);
    } finally {
      await service.end('SIGTERM');
    }
  },
);

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** In bytes; 0 where it has ended. */
function memoryOf(pid: number, field: 'Pss' | 'Rss'): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024;
  } catch {
    return 0;
  }
}
