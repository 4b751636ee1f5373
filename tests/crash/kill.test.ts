import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import { repeats, rounds } from '#tests/support/long-runs.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { killWithChildren } from '#tests/support/processes.ts';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';
import { emptyHistory, keepWriting, nothingIsThereTwice, ownersSeeEverything, until } from './history.ts';

const WRITERS = repeats(3, 6);

const folder = await preparedFolder();

test('nothing acknowledged is lost or duplicated over several kills, of which every second one is of PostgreSQL too [I56]', async () => {
  const port = await ownPort();
  const start = () =>
    startServiceProcess({ dataDirectory: folder, port, environment: { TRUSTED_PROXIES: '1', LOG_LEVEL: 'error' } });
  let service = await start();
  onTestFinished(() => void service.end('SIGKILL'));
  const { publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: folder }));
  const target = { url: service.url, key: publishableKey };
  const acknowledged = emptyHistory();
  let stopped = false;

  const writers = Array.from({ length: WRITERS }, () => keepWriting(target, acknowledged, () => stopped));

  for (const kill of rounds(2, 20)) {
    const before = acknowledged.messages.length;
    // In the middle of work, not in a pause: each kill waits until something was acknowledged since the last one.
    await until(() => acknowledged.messages.length > before + randomInt(3));
    await killService(service, { andPostgres: kill % 2 === 1 });
    service = await start();
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  }
  stopped = true;
  await Promise.all(writers);

  expect(acknowledged.accounts.length).toBeGreaterThan(0);
  expect(acknowledged.items.length).toBeGreaterThan(0);
  expect(acknowledged.claims.length).toBeGreaterThan(0);
  await ownersSeeEverything(target, acknowledged);
  await nothingIsThereTwice(
    {
      host: join(folder, 'postgres'),
      user: 'reunite',
      password: (await readFile(join(folder, 'postgres/reunite-password'), 'utf8')).trim(),
      database: 'reunite',
    },
    acknowledged,
  );
  expect(await service.end('SIGTERM')).toBe(0);
});

/** SIGKILL for the server, and every second time for its PostgreSQL too, postmaster and children. */
async function killService(service: ServiceProcess, { andPostgres }: { andPostgres: boolean }): Promise<void> {
  const postmaster = andPostgres ? await postmasterPid() : null;
  const ended = service.end('SIGKILL');
  if (postmaster !== null) killWithChildren(postmaster);
  await ended;
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
}
