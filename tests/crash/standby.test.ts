import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { readAddress } from '#server/postgres/address.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#server/postgres/database.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { loadSecrets } from '#server/secrets.ts';
import { FoundItems } from '#server/web/finder/item-cache.ts';
import { DATABASE_FOLDER, onCluster } from '#tests/support/clusters/make-template.ts';
import { startReplicatedCluster } from '#tests/support/clusters/start-replicated-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { newClient } from './history.ts';

/** Longer than what is known of a standby is valid. */
const SEVERAL_COMPARISONS_MS = 1_200;

test.skipIf(process.env.POSTGRES_15_BIN === undefined)(
  'items are read from a standby while it has what was announced, and from the primary otherwise',
  async () => {
    const { cluster, item, database, open, read, rename, untilAnnounced } = await startWithStandby();
    const [primary, standby] = cluster.servers;
    const counts = () => database.standby() ?? { isUsable: false, standby: 0, primary: 0 };
    const untilUsable = () => expect.poll(() => counts().isUsable).toBe(true);
    const readOnStandby = async () => {
      const before = counts().standby;
      await expect
        .poll(async () => {
          await read();
          return counts().standby;
        })
        .toBeGreaterThan(before);
    };

    await untilUsable();
    await readOnStandby();
    expect(await read()).toBe(item.itemName);

    // A standby that lags behind: the change is announced before it is replayed.
    await onCluster(standby.address, 'select pg_wal_replay_pause()');
    const announced = untilAnnounced();
    await rename('Renamed');
    await announced;
    const items = new FoundItems({ database, repairOwner: async () => undefined, now: Date.now, mostBytes: 1_000_000 });
    const until = performance.now() + SEVERAL_COMPARISONS_MS;
    while (performance.now() < until) {
      expect(await read()).toBe('Renamed');
      items.drop(item.qrId);
      expect((await items.find(item.qrId))?.item.item_name).toBe('Renamed');
      await pause(20);
    }
    expect(counts().isUsable).toBe(false);
    await onCluster(standby.address, 'select pg_wal_replay_resume()');
    await untilUsable();
    await readOnStandby();
    expect(await read()).toBe('Renamed');

    // One that never has the latest: it replays everything a little later, while others write without a pause.
    await onCluster(standby.address, "alter system set recovery_min_apply_delay = '150ms'");
    await onCluster(standby.address, 'select pg_reload_conf()');
    let isQuiet = false;
    const writing = (async () => {
      const client = await connectTo(primary.address);
      while (!isQuiet) {
        await client.query("select pg_logical_emit_message(true, 'test', 'a commit')");
        await pause(10);
      }
    })();
    await pause(SEVERAL_COMPARISONS_MS);
    await untilUsable();
    await readOnStandby();
    for (const name of ['Renamed again', 'Renamed']) {
      const change = untilAnnounced();
      await rename(name);
      await change;
      expect(await read()).toBe(name);
    }
    isQuiet = true;
    await writing;
    await onCluster(standby.address, 'alter system reset recovery_min_apply_delay');
    await onCluster(standby.address, 'select pg_reload_conf()');
    await untilUsable();

    // One that hangs delays what was sent to it, and no more than that.
    let isStopped = false;
    let slowest = 0;
    const names: unknown[] = [];
    const reading = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isStopped) {
          const began = performance.now();
          names.push(await read());
          slowest = Math.max(slowest, performance.now() - began);
          await pause(5);
        }
      }),
    );
    standby.signal('SIGSTOP');
    await expect.poll(() => counts().isUsable).toBe(false);
    await pause(SEVERAL_COMPARISONS_MS);
    standby.signal('SIGCONT');
    await untilUsable();

    // One that dies in the middle of reads.
    await readOnStandby();
    await standby.kill();
    await expect.poll(() => counts().isUsable).toBe(false);
    await pause(SEVERAL_COMPARISONS_MS);
    await standby.start();
    await untilUsable();
    await readOnStandby();
    isStopped = true;
    await reading;
    expect(new Set(names)).toEqual(new Set(['Renamed']));
    console.info(`ms of the slowest read while the standby hung and died: ${Math.round(slowest)}`);
    expect(slowest).toBeLessThan(2_500);

    // The primary itself, and a database that follows another one, are no standby of it.
    for (const address of [primary.address, { ...standby.address, database: 'template1' }]) {
      const other = open(address);
      await other.listen('item_changed', { onPayload: () => undefined });
      await pause(SEVERAL_COMPARISONS_MS);
      expect(other.standby()?.isUsable).toBe(false);
    }

    // Once it is promoted, it is the primary, and there is no standby any more.
    await primary.kill();
    await cluster.promote(standby);
    await expect.poll(() => read().catch(() => null)).toBe('Renamed');
    await pause(SEVERAL_COMPARISONS_MS);
    await rename('Renamed again', standby.address);
    await expect.poll(read).toBe('Renamed again');
    expect(counts().isUsable).toBe(false);
  },
);

test.skipIf(process.env.POSTGRES_15_BIN === undefined)(
  'a server with DATABASE_READ_URL reads pages and look-ups there, says so in its metrics, and goes on without it',
  async () => {
    const { cluster, item } = await startWithStandby();
    const [, standby] = cluster.servers;
    const { host, port, user, database } = standby.address;
    const metricsPort = await ownPort();
    const folder = await temporaryFolder();
    const service = await startServiceProcess({
      dataDirectory: folder,
      environment: {
        DATABASE_URL: cluster.url,
        DATABASE_READ_URL: `postgres://${user}@${host}:${port}/${database}`,
        METRICS_PORT: String(metricsPort),
        LOG_LEVEL: 'error',
      },
    });
    onTestFinished(() => void service.end('SIGKILL'));
    const { publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: folder }));
    const metric = async (name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length),
      );
    };
    const lookUp = async () => {
      const page = await fetch(`${service.url}/item/${item.qrId}`);
      const { data } = await newClient({ url: service.url, key: publishableKey }).rpc('find_item', {
        qr_id_param: item.qrId,
      });
      return [page.status, (data as { item_name?: string } | null)?.item_name];
    };
    await expect.poll(() => metric('reunite_standby_usable')).toBe(1);
    // A standby that was compared too long ago is passed over.
    const readThere = async () => {
      expect(await lookUp()).toEqual([200, item.itemName]);
      return metric('reunite_standby_reads_total{by="standby"}');
    };
    await expect.poll(readThere).toBeGreaterThanOrEqual(2);
    await standby.kill();
    expect(await lookUp()).toEqual([200, item.itemName]);
    await expect.poll(() => metric('reunite_standby_usable')).toBe(0);
    expect(await service.end('SIGTERM')).toBe(0);
  },
);

/** A database with an item, and access to it that may use the standby. */
async function startWithStandby() {
  const cluster = await startReplicatedCluster();
  onTestFinished(() => cluster.stop());
  const [primary, standby] = cluster.servers;
  await migrate({ address: primary.address, directory: DATABASE_FOLDER, log: quietLog });
  const writer = await connectTo(primary.address);
  const seed = {
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await writer.query<Row>(text, values)).rows,
  } as Parameters<typeof createOwner>[0];
  const item = await createItem(seed, await createOwner(seed));

  const dataDirectory = await temporaryFolder();
  const open = (standbyAddress: DatabaseOptions['standby']): Database => {
    const address = readAddress(cluster.url, { dataDirectory, log: quietLog });
    const opened = openDatabase({ address, standby: standbyAddress, log: quietLog });
    onTestFinished(() => opened.close());
    return opened;
  };
  const database = open(standby.address);
  const changes = new Set<() => void>();
  await database.listen('item_changed', {
    onPayload() {
      for (const resolve of changes) resolve();
    },
  });
  return {
    cluster,
    item,
    database,
    open,
    /** Reads the name of the item as a visitor. */
    async read(): Promise<string | undefined> {
      const { rows } = await database.readAsVisitor<{ name: string }>(
        { name: 'name_of_item', text: `select public.find_item($1) ->> 'item_name' as name`, values: [item.qrId] },
        item.qrId,
      );
      return rows[0]?.name;
    },
    /** Resolves with the next change that the access is told of. */
    untilAnnounced: () => new Promise<void>((resolve) => changes.add(resolve)),
    async rename(name: string, on = primary.address): Promise<void> {
      const client = await connectTo(on);
      await client.query('update public.items set item_name = $2 where id = $1', [item.id, name]);
    },
  };
}
