import { expect, test } from 'vitest';
import { postgresProcessesIn } from '#server/postgres/embedded/processes.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { MIGRATIONS } from '#tests/support/clusters/make-template.ts';
import { startEmbeddedCluster } from '#tests/support/clusters/start-embedded-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';

const cluster = await startEmbeddedCluster();
whenDone(() => cluster.stop());

/** Stops all processes of the cluster, or resumes them. */
function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
  // The socket's folder is the data's.
  const processes = postgresProcessesIn(cluster.address.host ?? '');
  expect(processes.length).toBeGreaterThan(3);
  for (const pid of processes) process.kill(pid, signal);
}

test.skipIf(process.platform !== 'linux')(
  'while the database hangs, finders get cached pages, and a time to retry for the others',
  async () => {
    await migrate({ address: cluster.address, directory: MIGRATIONS, log: quietLog });
    const client = await connectTo(cluster.address);
    const [known, unknown] = [createTagCode(), createTagCode()];
    await client.query(
      `with owner as (insert into auth.users (email, email_confirmed_at) values ('olive@example.com', now()) returning id)
       insert into public.items (qr_id, user_id, item_type, item_name)
         select code, id, 'keys', 'Keys' from owner, unnest($1::text[]) as code`,
      [[known, unknown]],
    );
    // Started after the writes, so that none of their notifications is on its way to it.
    const server = await startTestServer(cluster);
    expect((await server.request(`/item/${known}`)).status).toBe(200);
    /** The response, and how long it took. */
    const visit = async (path: string) => {
      const began = performance.now();
      const response = await server.request(path);
      const text = await response.text();
      return { response, text, ms: performance.now() - began };
    };

    signalAll('SIGSTOP');
    try {
      // By then the cached item has expired.
      server.clock.advance(10_000);
      // The page's address, twice, and the sticker's.
      for (const path of [`/item/${known}`, `/item/${known}`, `/${known}`]) {
        const shown = await visit(path);
        expect(shown.response.status).toBe(200);
        expect(shown.text).toContain('Keys');
        expect(shown.ms).toBeLessThan(5_000);
      }
      const visits = await Promise.all([`/item/${unknown}`, `/${unknown}`, `/item/${createTagCode()}`].map(visit));
      for (const { response, text, ms } of visits) {
        expect(response.status).toBe(503);
        expect(response.headers.get('retry-after')).toBe('2');
        expect(text).toContain('</html>');
        expect(ms).toBeLessThan(5_000);
      }
    } finally {
      signalAll('SIGCONT');
    }
    await expect.poll(async () => (await server.request(`/item/${unknown}`)).status).toBe(200);
  },
);
