import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { makePushKey, publicPushKey } from '#server/delivery/push/push-key.ts';
import type { TestItem } from '#tests/support/factories/create-item.ts';
import type { TestOwner } from '#tests/support/factories/create-owner.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { startNoticeReceiver } from '#tests/support/notice-receiver.ts';
import { startPushService, type TestBrowser } from '#tests/support/push-service.ts';

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** A mail server, a push service, and a receiver of webhooks and of ntfy that fail as often as they are notices to. */
export async function startReceivers(random: () => number) {
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
    if (fails()) return misbehave(response, random());
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
      Object.defineProperty(browser, 'respond', {
        get: () => (fails() ? (response: ServerResponse) => misbehave(response, random()) : null),
      });
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
    mailsAbout: ({ qrId }: TestItem, recipient: string) =>
      mail.arrived.filter((one) => one.recipients.includes(recipient) && one.mail.text?.includes(qrId)).length,
    /** Forgets the emails that have arrived. */
    forget: () => mail.arrived.splice(0),
    webhooksOf: (id: string) => timesOf(`msg_${id}`),
  };
  return receivers;
}

function misbehave(response: ServerResponse, kind: number): void {
  if (kind < 0.3) response.destroy();
  else if (kind < 0.6) response.writeHead(429, { 'Retry-After': '1' }).end();
  else response.writeHead(500).end();
}
