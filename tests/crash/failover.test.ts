import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { loadSecrets } from '#server/secrets.ts';
import { DATABASE_FOLDER, onCluster } from '#tests/support/clusters/make-template.ts';
import { type ReplicatedServer, startReplicatedCluster } from '#tests/support/clusters/start-replicated-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { repeats, rounds } from '#tests/support/long-runs.ts';
import { ownPort } from '#tests/support/own-port.ts';
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

const WRITERS = repeats(3, 6);
/** From the promotion of the standby until the service has acknowledged a write, and looked an item up. */
const BACK_WITHIN_MS = 5_000;

test.skipIf(process.env.POSTGRES_15_BIN === undefined)(
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

test.skipIf(process.env.POSTGRES_15_BIN === undefined)(
  'a primary that hangs is left for the promoted one, and is not returned to, also not after a restart',
  async () => {
    const { cluster, service, target, start } = await startOnReplicatedCluster();
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

    // It does not know of the promotion, and would acknowledge writes that nothing else has.
    former.signal('SIGCONT');
    await onCluster(former.address, "alter system set synchronous_standby_names = ''");
    await onCluster(former.address, 'select pg_reload_conf()');
    // Every connection to the new primary is lost, so the service looks for the primary again.
    await onCluster(
      next.address,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'reunite%'",
    );
    await counts.firstOf(performance.now());
    stopped = true;
    await counts.ended;
    const described = async (server: ReplicatedServer) => {
      const database = await connectTo(server.address);
      const { rows } = await database.query('select description from public.items where qr_id = $1', [qrId]);
      return Number(rows[0]?.description);
    };
    const last = counted();
    expect(await described(next)).toBe(last);
    const left = await described(former);
    expect(left).toBeLessThan(last);

    await next.kill();
    for (let attempt = 0; attempt < 10; attempt += 1) await expect(count()).rejects.toThrow();
    expect(await described(former)).toBe(left);

    expect(await service.end('SIGTERM')).toBe(0);
    await expect(start()).rejects.toThrow(/is a former primary.*remove .*primary\.json and start again/);
    expect(await described(former)).toBe(left);
    // As an operator does it who has restored the database.
    await rm(join(service.dataDirectory, 'primary.json'));
    await start();
    await count();
    expect(await described(former)).toBe(counted());
  },
);

/** The service on two servers, of which the first one is the primary. `start` starts it again. */
async function startOnReplicatedCluster() {
  const cluster = await startReplicatedCluster();
  onTestFinished(() => cluster.stop());
  const folder = await temporaryFolder();
  const port = await ownPort();
  const start = async () => {
    const service = await startServiceProcess({
      dataDirectory: folder,
      port,
      environment: { DATABASE_URL: cluster.url, TRUSTED_PROXIES: '1', LOG_LEVEL: 'error' },
    });
    onTestFinished(() => void service.end('SIGKILL'));
    return service;
  };
  const service = await start();
  const { publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: folder }));
  return { cluster, service, target: { url: service.url, key: publishableKey }, start };
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
