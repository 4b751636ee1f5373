import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { startReplicatedCluster } from '#tests/support/clusters/start-replicated-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { repeats, rounds } from '#tests/support/long-runs.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import {
  type Acknowledged,
  emptyHistory,
  keepWriting,
  must,
  newClient,
  nothingIsThereTwice,
  ownersSeeEverything,
  type Target,
  until,
} from './history.ts';

const isTried = process.env.POSTGRES_15_BIN !== undefined && process.env.HAPROXY !== undefined;

const WRITERS = repeats(3, 6);
/** From the promotion of the standby until the service has acknowledged a write, and looked an item up. */
const BACK_WITHIN_MS = 5_000;

test.skipIf(!isTried)(
  'nothing acknowledged is lost or duplicated over several failovers, and the service is back within seconds of each',
  async () => {
    const { cluster, service, target } = await startOnReplicatedCluster();
    const acknowledged = emptyHistory();
    let stopped = false;
    const isStopped = () => stopped;
    const writers = Array.from({ length: WRITERS }, () => keepWriting(target, acknowledged, isStopped));
    await until(() => acknowledged.accounts.length > 0);
    const { qrId, count, lookUp, counted } = await countOnAnItem(target, acknowledged);
    const counts = keepTrying(count, isStopped);
    const lookUps = keepTrying(lookUp, isStopped);

    let [primary, standby] = cluster.servers;
    const recoveries: { readonly promotion: number; readonly write: number; readonly read: number }[] = [];
    for (const _ of rounds(2, 20, { times: 4 })) {
      const before = acknowledged.messages.length;
      // In the middle of work, not in a pause: each kill waits until something was acknowledged since the last one.
      await until(() => acknowledged.messages.length > before + randomInt(3));
      await counts.firstOf(0);
      await primary.kill();
      const killedAt = performance.now();
      // Connections find out that it is gone, and later that there is another.
      await pause(randomInt(1_000));
      const requestedAt = performance.now();
      await cluster.promote(standby);
      const promotedAt = performance.now();
      const promotion = promotedAt - requestedAt;
      const write = (await counts.firstOf(killedAt)) - promotedAt;
      const read = (await lookUps.firstOf(killedAt)) - promotedAt;
      recoveries.push({ promotion, write, read });
      await cluster.rejoin(primary, standby);
      [primary, standby] = [standby, primary];
    }
    stopped = true;
    await Promise.all([...writers, counts.ended, lookUps.ended]);

    console.info(`ms that PostgreSQL took to promote: ${sorted(recoveries.map(({ promotion }) => promotion))}`);
    console.info(`ms from the promotion to the first write: ${sorted(recoveries.map(({ write }) => write))}`);
    console.info(`ms from the promotion to the first look-up: ${sorted(recoveries.map(({ read }) => read))}`);
    for (const { write, read } of recoveries) expect(Math.max(write, read)).toBeLessThan(BACK_WITHIN_MS);
    expect(acknowledged.accounts.length).toBeGreaterThan(0);
    expect(acknowledged.claims.length).toBeGreaterThan(0);
    await ownersSeeEverything(target, acknowledged);
    await nothingIsThereTwice(primary.address, acknowledged);
    const database = await connectTo(primary.address);
    const { rows } = await database.query('select description from public.items where qr_id = $1', [qrId]);
    expect(Number(rows[0]?.description)).toBeGreaterThanOrEqual(counted());
    expect(await service.end('SIGTERM')).toBe(0);
  },
  // At the end every owner signs in.
  600_000,
);

test.skipIf(!isTried)(
  'a primary that hangs is left for the promoted one, and acknowledges nothing should the proxy lead back to it',
  async () => {
    const { cluster, service, target } = await startOnReplicatedCluster();
    const [former, next] = cluster.servers;
    const startsOn = (address: PostgresAddress) => migrate({ address, directory: DATABASE_FOLDER, log: quietLog });
    await expect(startsOn(next.address)).rejects.toThrow('is a standby that can only be read');

    const acknowledged = emptyHistory();
    await keepWriting(target, acknowledged, () => acknowledged.accounts.length > 0);
    const { qrId, count, counted } = await countOnAnItem(target, acknowledged);
    let stopped = false;
    const counts = keepTrying(count, () => stopped);
    await counts.firstOf(0);
    former.signal('SIGSTOP');
    const hungAt = performance.now();
    await cluster.promote(next);
    const promotedAt = performance.now();
    const back = (await counts.firstOf(hungAt)) - promotedAt;
    console.info(`ms from the promotion to the first write, where the former primary hangs: ${Math.round(back)}`);
    expect(back).toBeLessThan(BACK_WITHIN_MS);
    stopped = true;
    await counts.ended;

    // It does not know of the promotion. Its standby has left it, without which it acknowledges no commit.
    former.signal('SIGCONT');
    cluster.lead(former);
    await expect.poll(() => portBehind(cluster.url)).toBe(former.address.port);
    // The proxy checks each server by itself: it may lead to the former one before it ends what it had opened to the promoted one.
    const promoted = await connectTo(next.address);
    await expect.poll(() => otherConnections(promoted)).toBe(0);
    const last = counted();
    await expect(count()).rejects.toThrow();
    expect(counted()).toBe(last);

    cluster.lead(next);
    const again = keepTrying(count, () => counted() > last);
    await again.ended;
    const { rows } = await promoted.query('select description from public.items where qr_id = $1', [qrId]);
    expect(Number(rows[0]?.description)).toBe(counted());
    expect(await service.end('SIGTERM')).toBe(0);
  },
);

/** The service on two servers, of which the first one is the primary. */
async function startOnReplicatedCluster() {
  const cluster = await startReplicatedCluster();
  onTestFinished(() => cluster.stop());
  const folder = await temporaryFolder();
  const service = await startServiceProcess({
    dataDirectory: folder,
    environment: { DATABASE_URL: cluster.url, TRUSTED_PROXIES: '1', LOG_LEVEL: 'error' },
  });
  onTestFinished(() => void service.end('SIGKILL'));
  const { publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: folder }));
  return { cluster, service, target: { url: service.url, key: publishableKey } };
}

/** The port of the PostgreSQL that the proxy leads to at this moment, or null where it leads to none. */
async function portBehind(url: string): Promise<number | null> {
  const client = new Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ port: number }>('select inet_server_port() as port');
    return rows[0]?.port ?? null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** How many clients but this one the PostgreSQL has at this moment. */
async function otherConnections(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count;
}

/** The item of the first owner's registration, whose description is a number that goes up. */
async function countOnAnItem(target: Target, { accounts: [account] }: Acknowledged) {
  if (account === undefined) throw new Error('There is no account yet.');
  const { qrId } = account;
  const owner = newClient(target);
  must(await owner.auth.signInWithPassword(account));
  let next = 0;
  let acknowledged = 0;
  return {
    qrId,
    async count() {
      next += 1;
      const description = String(next);
      must(await owner.from('items').update({ description }).eq('qr_id', qrId).select('id').single());
      acknowledged = next;
    },
    async lookUp() {
      must(await newClient(target).rpc('find_item', { qr_id_param: qrId }));
    },
    /** The highest number that was acknowledged. */
    counted: () => acknowledged,
  };
}

/** Repeats the attempt. `firstOf` resolves with when the first one succeeded that had begun after a time. */
function keepTrying(attempt: () => Promise<void>, isStopped: () => boolean) {
  const successes: { readonly began: number; readonly ended: number }[] = [];
  const ended = (async () => {
    while (!isStopped()) {
      const began = performance.now();
      await attempt().then(
        () => successes.push({ began, ended: performance.now() }),
        () => undefined,
      );
      await pause(10);
    }
  })();
  return {
    ended,
    async firstOf(time: number): Promise<number> {
      const find = () => successes.find(({ began }) => began > time);
      await until(() => find() !== undefined);
      return find()?.ended ?? Number.NaN;
    },
  };
}

function sorted(values: readonly number[]): string {
  return values
    .map((value) => Math.max(0, Math.round(value)))
    .sort((one, other) => one - other)
    .join(', ');
}
