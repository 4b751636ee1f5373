import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makePushKey, publicPushKey } from '#server/push/push-key.ts';
import { makeSecrets } from '#server/secrets.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createPushSubscription } from '#tests/support/factories/create-push-subscription.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { startNoticeReceiver } from '#tests/support/notice-receiver.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { productionEnvironment } from '#tests/support/production-environment.ts';
import { startPushService, type TestBrowser } from '#tests/support/push-service.ts';
import { seededRandom } from '#tests/support/seeded-random.ts';
import { TEST_CA } from '#tests/support/serve-https.ts';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const MESSAGES = 200;
/** How long a finder takes, in milliseconds. */
const PACE_MS = 100;
/** How often a receiver fails while messages are sent. */
const FAILURES = 0.3;
/** Ten for owners who do nothing, and one for each act that ends notices. A day's limit of emails for an item is 20. */
const IDLE_OWNERS = 10;
const ACTS = ['reads', 'mutes', 'deletes'] as const;
/** What one process may have under way when it is killed (`server/jobs/start-jobs.ts`). */
const JOBS_OF_A_PROCESS = 10;

/** Repeats a run: `SEED=123 npx vitest run --project long-runs tests/crash/random-notices`. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const random = seededRandom(seed);

const database = await createTestDatabase();

/** An owner whom an email, a browser, a webhook, and a topic of ntfy notify. */
interface Listener {
  readonly owner: TestOwner;
  readonly item: TestItem;
  readonly browser: TestBrowser;
  readonly topic: string;
  readonly act: (typeof ACTS)[number] | null;
}

interface Message {
  readonly id: string;
  readonly text: string;
  readonly listener: Listener;
  /** Whether it came after the acts. */
  readonly isLate: boolean;
}

test(`${MESSAGES} messages reach their owners while receivers fail and servers are killed (seed ${seed})`, async () => {
  const receivers = await startReceivers();
  const listeners: Listener[] = [];
  for (let index = 0; index < IDLE_OWNERS; index += 1) listeners.push(await createListener(receivers, null));
  for (const act of ACTS) listeners.push(await createListener(receivers, act));
  const servers = await startServers(receivers);

  receivers.fail(FAILURES);
  const messages: Message[] = [];
  let isSending = true;
  const killing = servers.killWhile(() => isSending);
  for (let count = 0; count < MESSAGES; count += 1) {
    const listener = listeners[count % listeners.length];
    if (listener === undefined) throw new Error('There is no owner.');
    const message = { id: randomUUID(), text: `I found it, number ${count}.`, listener, isLate: count >= MESSAGES / 2 };
    // In the middle of it all.
    if (count === MESSAGES / 2) for (const one of listeners) await doAct(one);
    if (await servers.send(message)) messages.push(message);
    await pause(PACE_MS);
  }
  isSending = false;
  const kills = await killing;
  expect(kills).toBeGreaterThan(3);
  receivers.fail(0);
  await everyNoticeIsDone();

  // Each message is there once.
  const stored = (await database.query<{ body: string }>('select body from public.messages')).map(({ body }) => body);
  const ofIdle = messages.filter(({ listener }) => listener.act === null);
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(ofIdle.map(({ text }) => text)));
  expect(receivers.push.refused).toEqual([]);

  // Each receiver got each message, and again only where a kill came between the response and its record.
  const notices = ofIdle.flatMap((message) => receivers.counts(message));
  expect(notices).toHaveLength(3 * ofIdle.length);
  expect(notices.filter((times) => times === 0)).toEqual([]);
  const again = notices.reduce((sum, times) => sum + times - 1, 0);
  expect(again).toBeLessThanOrEqual(kills * JOBS_OF_A_PROCESS);
  for (const listener of listeners.filter(({ act }) => act === null)) {
    const own = ofIdle.filter((message) => message.listener === listener);
    const byNtfy = receivers.acceptedAt(listener.topic);
    expect(byNtfy).toBeGreaterThanOrEqual(own.length);
    expect(byNtfy).toBeLessThanOrEqual(own.length + kills * JOBS_OF_A_PROCESS);
  }

  // The finders of idle owners read that their messages were delivered.
  expect(
    await database.query(
      `select from public.conversations as conversation
           join public.messages as message on message.conversation_id = conversation.id
           where message.id = any ($1) and (delivered_until is null or delivered_until < message.created_at)`,
      [ofIdle.map(({ id }) => id)],
    ),
  ).toEqual([]);

  // A muted finder's later messages arrive and notify nobody; an item that is gone gets none.
  const lateOf = (act: Listener['act']) => messages.filter(({ listener, isLate }) => isLate && listener.act === act);
  const muted = lateOf('mutes');
  expect(muted.length).toBeGreaterThan(0);
  expect(muted.flatMap((message) => receivers.counts(message)).filter((times) => times > 0)).toEqual([]);
  expect(stored).toEqual(expect.arrayContaining(muted.map(({ text }) => text)));
  expect(lateOf('deletes')).toEqual([]);
}, 300_000);

type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** A mail server, a push service, and a receiver of webhooks and of ntfy that fail as often as they are notices to. */
async function startReceivers() {
  let rate = 0;
  const fails = () => random() < rate;
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  Object.defineProperty(mail, 'refusal', {
    get: () => (fails() ? Object.assign(new Error('Try again later'), { responseCode: 421 }) : undefined),
  });
  const push = await startPushService({ host: '127.0.0.1' });
  const pushKey = makePushKey();
  const hooks = await startNoticeReceiver();
  const hookUrl = new URL(hooks.https);
  hookUrl.hostname = '127.0.0.1';
  /** The ids of webhooks, and the paths of topics, that were accepted. */
  const accepted: string[] = [];
  const respond = (response: ServerResponse) => {
    if (fails()) return misbehave(response);
    const { url = '', headers } = response.req;
    accepted.push(String(headers['webhook-id'] ?? url));
    response.writeHead(200).end('{}');
  };
  const timesOf = (key: string) => accepted.filter((one) => one === key).length;
  const receivers = {
    push,
    pushKey,
    smtpUrl: `smtp://127.0.0.1:${mail.port}`,
    allowed: [push.origin, hookUrl.origin].map((origin) => new URL(origin).host).join(','),
    fail(share: number) {
      rate = share;
    },
    /** A browser that refuses as often as the others fail. */
    subscribe(): TestBrowser {
      const browser = push.subscribe(publicPushKey(pushKey));
      Object.defineProperty(browser, 'respond', { get: () => (fails() ? misbehave : null) });
      return browser;
    },
    /** An address whose requests fail like the others. */
    path(): string {
      const path = `/${randomUUID()}`;
      hooks.respondAt(path, respond);
      return path;
    },
    url: (path: string) => new URL(path, hookUrl).href,
    acceptedAt: timesOf,
    mailsWith: (text: string, owner: TestOwner) =>
      mail.arrived.filter(({ recipients, raw }) => recipients.includes(owner.email) && raw.includes(text)).length,
    webhooksOf: (id: string) => timesOf(`msg_${id}`),
    /** How often an email, a push, and a webhook were about a message. */
    counts({ id, text, listener: { owner, browser } }: Message): number[] {
      const pushes = browser.arrived.filter(({ payload }) => JSON.stringify(payload).includes(text));
      return [receivers.mailsWith(text, owner), pushes.length, receivers.webhooksOf(id)];
    },
  };
  return receivers;
}

function misbehave(response: ServerResponse): void {
  const kind = random();
  if (kind < 0.3) response.destroy();
  else if (kind < 0.6) response.writeHead(429, { 'Retry-After': '1' }).end();
  else response.writeHead(500).end();
}

async function createListener(receivers: Receivers, act: Listener['act']): Promise<Listener> {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const browser = receivers.subscribe();
  const { id } = await createPushSubscription(database, owner, browser, publicPushKey(receivers.pushKey));
  await database.query('update public.push_subscriptions set shows_text = true where id = $1', [id]);
  const topic = receivers.path();
  await createNoticeAddress(database, owner, { kind: 'webhook', url: receivers.url(receivers.path()) });
  await createNoticeAddress(database, owner, { kind: 'ntfy', url: receivers.url(topic) });
  return { owner, item, browser, topic, act };
}

async function doAct({ act, item, owner }: Listener): Promise<void> {
  if (act === 'reads') await database.query('update public.messages set read_at = now() where item_id = $1', [item.id]);
  if (act === 'mutes')
    await database.query('update public.conversations set muted_at = now() where item_id = $1', [item.id]);
  if (act === 'deletes') await database.query('delete from public.items where user_id = $1', [owner.id]);
}

/** Two servers of one installation. */
async function startServers(receivers: Receivers) {
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
  async function send({ id, text, listener }: Message): Promise<boolean> {
    // The finder who will be muted writes in one conversation, all others once.
    const finderKey = listener.act === 'mutes' ? listener.owner.id : randomUUID();
    const address = anAddress();
    for (;;) {
      const place = places[Math.floor(random() * places.length)];
      const response = await fetch(`http://localhost:${place?.port}/rest/v1/rpc/send_message`, {
        method: 'POST',
        headers: { apikey: publishableKey, 'Content-Type': 'application/json', 'X-Forwarded-For': address },
        body: JSON.stringify({
          qr_id_param: listener.item.qrId,
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

  /** Resolves with how often it did. */
  async function killWhile(goesOn: () => boolean): Promise<number> {
    let kills = 0;
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

  return { send, killWhile };
}

/** Ends the waits of what is tried again, until nothing is left to send. */
async function everyNoticeIsDone(): Promise<void> {
  const waiting = `select id from graphile_worker.jobs
    where task_identifier in ('notify_owner_of_message', 'send_push', 'send_notice')
      -- Not one that queued its successor before its server was killed.
      and attempts < max_attempts`;
  const hurry = async () => {
    await database.query('update public.push_subscriptions set retry_at = null, failures = 0, failing_since = null');
    await database.query('update public.notice_addresses set retry_at = null, failures = 0, failing_since = null');
    await database.query(
      `select graphile_worker.reschedule_jobs(array(${waiting} and run_at > now() and locked_at is null), run_at := now())`,
    );
    return database.query(waiting);
  };
  await expect.poll(hurry, { timeout: 120_000, interval: 500 }).toEqual([]);
}
