import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'valibot';
import { createOutboundClient, type OutboundClient } from '#server/delivery/outbound/outbound-client.ts';
import { outboundAllowed } from '#server/settings/outbound.ts';
import { serveHttps, TEST_CA } from './serve-https.ts';
import { serveLoopback } from './serve-loopback.ts';
import { whenDone } from './when-done.ts';

interface Arrived {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface NoticeReceiver {
  /** Base URLs of the same receiver, by https and by http. */
  readonly https: string;
  readonly http: string;
  /** For a server whose operator allows these two hosts and nothing else beside the internet. */
  readonly outbound: OutboundClient;
  /** The requests to a path, in the order in which they came. */
  arrivedAt(path: string): readonly Arrived[];
  /** Responds to the next requests to a path; by default with 200. */
  respondAt(path: string, respond: ((response: ServerResponse) => void) | null): void;
}

/** A notice that arrives late on a busy machine is not sent twice. */
const LONGER_THAN_TESTS_MS = 120_000;

/** A receiver of the test's own on this machine: of webhooks and of topics of ntfy. */
export async function startNoticeReceiver({ timeoutMs = LONGER_THAN_TESTS_MS } = {}): Promise<NoticeReceiver> {
  const arrived: Arrived[] = [];
  const responses = new Map<string, (response: ServerResponse) => void>();
  const listener: RequestListener = async (request, response) => {
    const { url: path = '', method = '', headers } = request;
    const body = await text(request).catch(() => '');
    arrived.push({ path, method, headers, body });
    const respond = responses.get(path);
    if (respond === undefined) response.writeHead(200).end('{}');
    else respond(response);
  };
  const { port } = await serveHttps(listener);
  const plain = new URL(await serveLoopback(listener)).port;
  const outbound = createOutboundClient({
    ca: TEST_CA,
    allowed: parse(outboundAllowed, `hook.example.com:${port},http://ntfy.lan:${plain}`),
    resolve: async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
    timeoutMs,
  });
  whenDone(() => outbound.close());
  return {
    https: `https://hook.example.com:${port}`,
    http: `http://ntfy.lan:${plain}`,
    outbound,
    arrivedAt: (path) => arrived.filter((request) => request.path === path),
    respondAt: (path, respond) => void (respond === null ? responses.delete(path) : responses.set(path, respond)),
  };
}

/** Verifies a webhook as its receiver does (docs/operate/webhooks.md), by node:crypto alone. Returns the event. */
export function verifyWebhook(
  { headers, body }: Pick<Arrived, 'headers' | 'body'>,
  secret: string,
  now = Date.now(),
): unknown {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  );
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= 300)) throw new Error('The webhook is not of now.');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const isValid = (signatures ?? '').split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isValid) throw new Error('The signature is not valid.');
  return JSON.parse(body);
}
