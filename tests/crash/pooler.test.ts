import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import { startDebianCluster } from '#tests/support/clusters/start-debian-cluster.ts';
import { startPgBouncer } from '#tests/support/clusters/start-pgbouncer.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import {
  emptyHistory,
  keepWriting,
  must,
  newClient,
  nothingIsThereTwice,
  ownersSeeEverything,
  until,
} from './history.ts';

const isTried = process.env.POSTGRES_15_BIN !== undefined && process.env.PGBOUNCER !== undefined;

/** A PostgreSQL, and a PgBouncer before it, with the URLs that lead to them. */
async function startBehindPooler() {
  const cluster = await startDebianCluster();
  onTestFinished(() => cluster.stop());
  const { host = '', user = '', database = '' } = cluster.address;
  const folder = await temporaryFolder();
  const pooler = await startPgBouncer(cluster.address, { folder, sessions: 5 });
  onTestFinished(() => pooler.kill());
  return {
    address: cluster.address,
    pooler,
    urls: {
      direct: `postgres:///${database}?host=${host}&user=${user}`,
      pooled: `postgres://${user}@${pooler.address.host}:${pooler.address.port}/${database}`,
    },
  };
}

test.skipIf(!isTried)(
  'a server of two processes works behind PgBouncer, and loses nothing when it is killed',
  async () => {
    const { address, pooler, urls } = await startBehindPooler();
    const folder = await temporaryFolder();
    const service = await startServiceProcess({
      dataDirectory: folder,
      environment: {
        DATABASE_URL: urls.pooled,
        DATABASE_DIRECT_URL: urls.direct,
        WEB_PROCESSES: '2',
        TRUSTED_PROXIES: '1',
        LOG_LEVEL: 'error',
      },
    });
    onTestFinished(() => void service.end('SIGKILL'));
    const { publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: folder }));
    const target = { url: service.url, key: publishableKey };
    const acknowledged = emptyHistory();
    let isStopped = false;
    const writers = Array.from({ length: 3 }, () => keepWriting(target, acknowledged, () => isStopped));
    await until(() => acknowledged.messages.length > 2);
    const before = acknowledged.messages.length;
    await pooler.kill();
    await pooler.start();
    await until(() => acknowledged.messages.length > before + 2);
    isStopped = true;
    await Promise.all(writers);
    await ownersSeeEverything(target, acknowledged);
    await nothingIsThereTwice(address, acknowledged);

    // Changes reach subscribers, and pages in the memory of every process.
    const [account] = acknowledged.accounts;
    if (account === undefined) throw new Error('There is no account.');
    const owner = newClient(target);
    must(await owner.auth.signInWithPassword(account));
    const heard: unknown[] = [];
    const channel = owner.channel('items');
    channel.on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'items' }, ({ new: row }) =>
      heard.push(row),
    );
    await new Promise<void>((resolve) => {
      channel.subscribe((status) => {
        if (status === 'SUBSCRIBED') resolve();
      });
    });
    const pages = async () =>
      Promise.all(Array.from({ length: 8 }, async () => (await fetch(`${service.url}/item/${account.qrId}`)).text()));
    await pages();
    must(await owner.from('items').update({ item_name: 'Red umbrella' }).eq('qr_id', account.qrId).select().single());
    await expect.poll(() => heard).toMatchObject([{ item_name: 'Red umbrella' }]);
    await expect.poll(async () => (await pages()).every((page) => page.includes('Red umbrella'))).toBe(true);
    await owner.removeAllChannels();
    expect(await service.end('SIGTERM')).toBe(0);
  },
);

test.skipIf(!isTried)(
  'without DATABASE_DIRECT_URL a server behind PgBouncer says what to set, and changes nothing',
  async () => {
    const { pooler, urls } = await startBehindPooler();
    const starting = startServiceProcess({
      dataDirectory: await temporaryFolder(),
      environment: { DATABASE_URL: urls.pooled },
    });
    await expect(starting).rejects.toThrow('DATABASE_DIRECT_URL must lead to PostgreSQL itself');
    await pooler.kill();
  },
);
