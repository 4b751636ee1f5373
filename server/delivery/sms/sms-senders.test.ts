import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDelivery } from '#server/delivery/create-delivery.ts';
import { listen } from '#server/http/listen.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { serveLoopback } from '#tests/support/serve-loopback.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { createTwilioSms } from './twilio-sms.ts';
import { createWebhookSms } from './webhook-sms.ts';

interface Arrived {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** It accepts the message but does not respond. */
  readonly silent?: true;
}

const arrived: Arrived[] = [];
/** The provider's responses, in order; the last one repeats. */
let replies: Reply[] = [];

/** A provider on this machine. */
const url = await serveLoopback(async (request, response) => {
  arrived.push({ path: request.url, headers: request.headers, body: await textOf(request) });
  const {
    status,
    body = '',
    headers = {},
    silent,
  } = (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 500 };
  if (!silent) response.writeHead(status, headers).end(body);
});
// A serving program has other global Request and Response classes than one that does not serve.
const service = await listen({
  fetch: () => new Response(),
  from: { host: '127.0.0.1', port: 0 },
  webSocketBounds: { maxPayload: 1_024, maxFragments: 8, maxBufferedChunks: 8, closeTimeout: 1_000 },
});
whenDone(() => service.close({ requestsMs: 0, uploadsMs: 0 }));
beforeEach(() => {
  arrived.length = 0;
});

const accountSid = `AC${'0'.repeat(32)}`;
const secret = 'webhook-secret-of-32-characters!';
const sms = { to: '+15550100', text: 'Your code is 123456 & more', key: 'code:1' };
const now = () => 1_767_225_600_123;

const TAKEN: Reply = { status: 201, body: '{"sid":"SM1","status":"queued","error_code":null}' };
const makers = {
  Twilio: (apiUrl: string, timeoutMs = 20_000) =>
    createTwilioSms({ accountSid, authToken: 'auth token', from: '+15005550006', apiUrl, timeoutMs }),
  'The SMS webhook': (to: string, timeoutMs = 20_000) =>
    createWebhookSms({ url: `${to}/send`, secret, now, timeoutMs }),
};

test('Twilio receives the message in the format of its API', async () => {
  replies = [TAKEN];
  await makers.Twilio(url).sendSms(sms);
  expect(arrived[0]?.path).toBe(`/2010-04-01/Accounts/${accountSid}/Messages.json`);
  expect(arrived[0]?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from(`${accountSid}:auth token`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(Object.fromEntries(new URLSearchParams(arrived[0]?.body))).toEqual({
    To: sms.to,
    From: '+15005550006',
    Body: sms.text,
  });
  const from = `MG${'0'.repeat(32)}`;
  await createTwilioSms({ accountSid, authToken: 'x', from, apiUrl: url }).sendSms(sms);
  expect(new URLSearchParams(arrived[1]?.body).get('MessagingServiceSid')).toBe(from);
});

test.each([
  [
    'a number that is none',
    { status: 400, body: '{"code":21211,"message":"The To number +15550100 is not valid"}' },
    21211,
  ],
  ['a wrong token', { status: 401, body: '{"code":20003,"message":"Authenticate"}' }, 20003],
  ['a message that failed at once', { status: 201, body: '{"sid":"SM1","status":"failed","error_code":30007}' }, 30007],
])('Twilio’s response about %s is reported by its number alone', async (_name, reply, code) => {
  replies = [reply];
  await expect(makers.Twilio(url).sendSms(sms)).rejects.toThrow(
    `Twilio refused the message: status ${reply.status}, error ${code}.`,
  );
  expect(arrived).toHaveLength(1);
});

test('a response that is not Twilio’s counts as a failure', async () => {
  replies = [{ status: 200, body: '<html>Welcome to the hotel</html>' }];
  await expect(makers.Twilio(url).sendSms(sms)).rejects.toThrow('Twilio refused the message: status 200.');
});

test('the webhook receives a signed message, and retries keep its id', async () => {
  replies = [{ status: 204 }];
  const sender = makers['The SMS webhook'](url);
  await sender.sendSms(sms);
  await sender.sendSms(sms);
  await sender.sendSms({ ...sms, key: 'code:2' });
  const [first, again, other] = arrived;
  expect(first?.path).toBe('/send');
  expect(JSON.parse(first?.body ?? '')).toEqual({ to: sms.to, text: sms.text });
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = first?.headers ?? {};
  expect(timestamp).toBe('1767225600');
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${first?.body}`).digest('base64');
  expect(signature).toBe(`v1,${expected}`);
  expect(again?.headers['webhook-id']).toBe(id);
  expect(other?.headers['webhook-id']).not.toBe(id);
});

test('a production server whose configuration names a provider has SMS', async () => {
  const smtp = { url: 'smtp://127.0.0.1:1', from: 'a@example.com' };
  const named = {
    production: true,
    hasMail: true,
    smtp,
    sms: { provider: 'webhook', url: `${url}/named`, secret },
  } as const;
  // Only a development server keeps messages in the database.
  const database = { asService: () => Promise.reject(new Error('No statement is expected.')) };
  const delivery = createDelivery({ config: named, database, log: quietLog, now });
  expect(delivery.hasSms).toBe(true);
  replies = [{ status: 200 }];
  await delivery.sendSms(sms);
  expect(arrived.map(({ path }) => path)).toEqual(['/named']);
});

describe.each(Object.entries(makers))('%s', (name, make) => {
  test.each([429, 503])('a response of %i is retried once and then accepted', async (status) => {
    replies = [{ status }, TAKEN];
    await make(url).sendSms(sms);
    expect(arrived).toHaveLength(2);
    expect(arrived[1]?.body).toBe(arrived[0]?.body);
  });

  test('is never called a third time', async () => {
    replies = [{ status: 503 }];
    await expect(make(url).sendSms(sms)).rejects.toThrow(`${name} refused the message: status 503.`);
    expect(arrived).toHaveLength(2);
  });

  test('responds with 500: it may have accepted the message, so it is not called again [I58]', async () => {
    replies = [{ status: 500 }];
    await expect(make(url).sendSms(sms)).rejects.toThrow(`${name} refused the message: status 500.`);
    expect(arrived).toHaveLength(1);
  });

  test('does not respond: the call times out and is not repeated', async () => {
    replies = [{ status: 200, silent: true }];
    await expect(make(url, 1_000).sendSms(sms)).rejects.toThrow(`${name} did not respond in time.`);
    expect(arrived).toHaveLength(1);
  });

  test('is unreachable: the error says so, without the number', async () => {
    const failure = await make(`http://127.0.0.1:${await ownPort()}`)
      .sendSms(sms)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SmsNotTaken', message: `${name} cannot be reached.` });
    expect(JSON.stringify(failure)).not.toContain('15550100');
  });

  test('redirects: nothing is sent to the new address', async () => {
    replies = [{ status: 307, headers: { location: `${url}/elsewhere` } }];
    await expect(make(url).sendSms(sms)).rejects.toThrow(`${name} closed the connection or redirects elsewhere.`);
    expect(arrived.map(({ path }) => path)).not.toContain('/elsewhere');
  });
});
