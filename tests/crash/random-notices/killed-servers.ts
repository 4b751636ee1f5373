import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { makeSecrets } from '#server/start/secrets.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { productionEnvironment } from '#tests/support/production-environment.ts';
import { TEST_CA } from '#tests/support/serve-https.ts';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';
import type { Receivers } from './failing-receivers.ts';

interface FindersMessage {
  readonly id: string;
  readonly text: string;
  readonly qrId: string;
  readonly finderKey: string;
}

/** In the course of a run. */
const FEWEST_KILLS = 4;

/** Two servers of one installation. */
export async function startServers(database: TestDatabase, receivers: Receivers, random: () => number) {
  const folder = await temporaryFolder();
  const certificate = join(folder, 'ca.pem');
  await writeFile(certificate, TEST_CA);
  const secrets = { ...(await makeSecrets()), pushKey: receivers.pushKey };
  const { publishableKey } = secrets;
  const { host = '', port: databasePort = 5432, user = '', password, database: name = '' } = database.address;
  const account = `${encodeURIComponent(user)}:${encodeURIComponent(String(password ?? ''))}`;
  const start = async (port: number, dataDirectory: string) =>
    startServiceProcess({
      port,
      dataDirectory,
      environment: {
        ...productionEnvironment({ port, secrets }),
        PUBLIC_URL: 'http://localhost',
        DATABASE_URL: `postgres://${account}@localhost:${databasePort}/${name}?host=${encodeURIComponent(host)}`,
        SMTP_URL: receivers.smtpUrl,
        OUTBOUND_ALLOWED: receivers.allowed,
        // All receivers are on one host, and many of their failures are tried again.
        LIMITS: 'requests_per_host=100000/86400',
        NODE_EXTRA_CA_CERTS: certificate,
        LOG_LEVEL: 'error',
      },
    });
  const places: { readonly port: number; readonly folder: string }[] = [];
  for (let index = 0; index < 2; index += 1) places.push({ port: await ownPort(), folder: await temporaryFolder() });
  const running: ServiceProcess[] = [];
  for (const place of places) running.push(await start(place.port, place.folder));
  onTestFinished(async () => {
    await Promise.all(running.map((service) => service.end('SIGKILL')));
  });

  /** Sends a message as a phone with a bad connection does, until a server acknowledges or refuses it. */
  async function send({ id, text, qrId, finderKey }: FindersMessage): Promise<boolean> {
    const address = anAddress();
    for (;;) {
      const place = places[Math.floor(random() * places.length)];
      const response = await fetch(`http://localhost:${place?.port}/rest/v1/rpc/send_message`, {
        method: 'POST',
        headers: { apikey: publishableKey, 'Content-Type': 'application/json', 'X-Forwarded-For': address },
        body: JSON.stringify({
          qr_id_param: qrId,
          body_param: text,
          message_id_param: id,
          finder_key_param: finderKey,
        }),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => null);
      if (response?.ok === true) return true;
      if (response?.status === 404) return false;
      await pause(50);
    }
  }

  let kills = 0;

  /** Resolves with how often it did. */
  async function killWhile(goesOn: () => boolean): Promise<number> {
    while (goesOn()) {
      await pause(200 + random() * 800);
      const at = Math.floor(random() * running.length);
      const place = places[at];
      if (place === undefined) break;
      await running[at]?.end('SIGKILL');
      kills += 1;
      running[at] = await start(place.port, place.folder);
    }
    return kills;
  }

  /** Waits for the kills that belong to this part of the work, from 0 to 1: a slow machine starts servers slowly. */
  async function keepPace(done: number): Promise<void> {
    while (kills < done * FEWEST_KILLS) await pause(50);
  }

  return { send, killWhile, keepPace };
}
