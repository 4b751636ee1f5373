import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  emptyHistory,
  keepWriting,
  must,
  newClient,
  nothingIsThereTwice,
  ownersSeeEverything,
  until,
} from '#tests/crash/history.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { rounds } from '#tests/support/long-runs.ts';
import { anAddress } from '#tests/support/network-address.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { CAN_START, startInstallation } from './start-installation.ts';

/** Each takes 6 s or more. */
const MOST_RESTARTS = 50;

describe.skipIf(!CAN_START)('three servers of two processes behind HAProxy and PgBouncer', async () => {
  if (!CAN_START) return;
  const { url, key, cluster, pooler, proxy, services } = await startInstallation();
  const target = { url, key };
  const acknowledged = emptyHistory();
  await keepWriting(target, acknowledged, () => acknowledged.messages.length > 0);
  const [account] = acknowledged.accounts;
  if (account === undefined) throw new Error('There is no account.');

  /** The process ids that have begun to serve. */
  const processesOf = ({ output }: ServiceProcess) => {
    const lines = output().split('\n');
    return lines
      .flatMap((line) => (line.includes('"A process serves."') ? [Number(JSON.parse(line).pid)] : []))
      .reverse();
  };
  const killNow = (pid: number | undefined) => {
    if (pid === undefined) throw new Error('There is no such process.');
    process.kill(pid, 'SIGKILL');
  };
  /** How often its processes have begun to serve. */
  const starts = ({ output }: ServiceProcess) => output().split('"A process serves."').length - 1;
  const restart = async (service: ServiceProcess) => {
    const before = starts(service);
    service.child.kill('SIGHUP');
    await until(() => starts(service) >= before + 2);
  };

  /** Looks the account's item up again and again, over connections of its own and kept ones, and notes what failed. */
  function keepLooking() {
    const found = { succeeded: 0, failures: [] as string[] };
    let isStopped = false;
    const looking = Array.from({ length: 6 }, async (_, at) => {
      while (!isStopped) {
        const headers = { 'x-forwarded-for': anAddress(), ...(at % 2 === 0 && { connection: 'close' }) };
        await fetch(`${url}/item/${account?.qrId}`, { headers }).then(
          async (response) => {
            await response.text();
            if (response.status === 200) found.succeeded += 1;
            else found.failures.push(String(response.status));
          },
          (error: unknown) => found.failures.push(String(error)),
        );
        // Processes start beside it.
        await pause(10);
      }
    });
    return {
      found,
      async stop() {
        isStopped = true;
        await Promise.all(looking);
        return found;
      },
    };
  }

  test(
    'rolling restarts under load refuse no request',
    async () => {
      const looks = keepLooking();
      let isStopped = false;
      const refused: unknown[] = [];
      const writers = [1, 2].map(() =>
        keepWriting(
          target,
          acknowledged,
          () => isStopped,
          (error) => refused.push(error),
        ),
      );
      let restarts = 0;
      for (const round of rounds(3, MOST_RESTARTS, { times: 4 })) {
        const before = looks.found.succeeded;
        await restart(services[round % services.length] as ServiceProcess);
        await until(() => looks.found.succeeded > before + 20);
        restarts += 1;
      }
      isStopped = true;
      await Promise.all(writers);
      const { failures, succeeded } = await looks.stop();
      console.info(`look-ups during ${restarts} rolling restarts: ${succeeded}`);
      expect(failures).toEqual([]);
      expect(refused).toEqual([]);
      await nothingIsThereTwice(cluster.address, acknowledged);
    },
    MOST_RESTARTS * 40_000,
  );

  test('a change reaches subscribers of every server, and pages in the memory of every process', async () => {
    const owners = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = newClient(target);
        must(await client.auth.signInWithPassword(account));
        return client;
      }),
    );
    const heard = owners.map(() => [] as unknown[]);
    await Promise.all(
      owners.map(
        (client, at) =>
          new Promise<void>((resolve) => {
            client
              .channel('items')
              .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'items' }, ({ new: row }) =>
                heard[at]?.push(row),
              )
              .subscribe((status) => {
                if (status === 'SUBSCRIBED') resolve();
              });
          }),
      ),
    );
    const pages = () =>
      Promise.all(
        Array.from({ length: 24 }, async () => {
          const response = await fetch(`${url}/item/${account.qrId}`, {
            headers: { 'x-forwarded-for': anAddress(), connection: 'close' },
          });
          return response.text();
        }),
      );
    await pages();
    const [owner] = owners;
    if (owner === undefined) throw new Error('There is one.');
    must(await owner.from('items').update({ item_name: 'Red umbrella' }).eq('qr_id', account.qrId).select().single());
    for (const rows of heard) {
      await expect.poll(() => rows).toMatchObject([{ item_name: 'Red umbrella' }]);
    }
    await expect.poll(async () => (await pages()).every((page) => page.includes('Red umbrella'))).toBe(true);
    await Promise.all(owners.map((client) => client.removeAllChannels()));
  });

  test('limits are counted once for all servers', async () => {
    const address = anAddress();
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      const response = await fetch(`${url}/rest/v1/rpc/send_message`, {
        method: 'POST',
        headers: {
          apikey: key,
          'content-type': 'application/json',
          'x-forwarded-for': address,
          connection: 'close',
        },
        body: JSON.stringify({
          qr_id_param: account.qrId,
          body_param: `Found ${count}`,
          message_id_param: randomUUID(),
        }),
      });
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  });

  test('a process, PostgreSQL, a server, the pooler, and the proxy are killed, and what was acknowledged is there once', async () => {
    // Of its own: at the end each owner signs in.
    const written = emptyHistory();
    let isStopped = false;
    const writers = [1, 2, 3].map(() => keepWriting(target, written, () => isStopped));
    const goesOn = async () => {
      const before = written.messages.length;
      await until(() => written.messages.length > before + 2);
    };
    await goesOn();
    killNow(processesOf(services[0] as ServiceProcess)[0]);
    await goesOn();
    // One session that is killed makes PostgreSQL end all others, and recover.
    const database = await connectTo(cluster.address);
    const { rows } = await database.query<{ pid: number }>(
      "select pid from pg_stat_activity where usename is not null and state = 'idle' and pid <> pg_backend_pid() limit 1",
    );
    killNow(rows[0]?.pid);
    await goesOn();
    await cluster.kill();
    await pause(200);
    await cluster.restart();
    await goesOn();
    await services.at(-1)?.end('SIGKILL');
    await goesOn();
    await pooler.kill();
    await pause(200);
    await pooler.start();
    await goesOn();
    await proxy.kill();
    await pause(200);
    await proxy.start();
    await goesOn();
    isStopped = true;
    await Promise.all(writers);
    await ownersSeeEverything(target, written);
    await nothingIsThereTwice(cluster.address, written);
  }, 600_000);
});
