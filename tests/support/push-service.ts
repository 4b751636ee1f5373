import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createOutboundClient, type OutboundClient } from '#server/delivery/outbound/outbound-client.ts';
import { makePushKey } from '#server/delivery/push/push-key.ts';
import { createWebPush, type PushTarget, type WebPush } from '#server/delivery/push/web-push.ts';
import { serveHttps, TEST_CA } from './serve-https.ts';
import { whenDone } from './when-done.ts';

/** A push that arrived, was decrypted, and had a right signature. */
interface ArrivedPush {
  readonly endpoint: string;
  readonly payload: unknown;
  readonly ttl: string;
  readonly topic: string;
  readonly urgency: string;
  /** Where the operator can be reached. */
  readonly subject: string;
}

/** A browser's subscription at the push service. */
export interface TestBrowser extends PushTarget {
  /** The pushes that it received. */
  readonly arrived: readonly ArrivedPush[];
  /** How often the push service was asked to deliver to it. */
  readonly attempts: number;
  /** In place of accepting a push. */
  respond: ((response: ServerResponse) => void) | null;
}

export interface PushService {
  /** The scheme, host, and port of every endpoint. */
  readonly origin: string;
  /** Pushes that were refused, each with the reason: none is expected. */
  readonly refused: readonly string[];
  /** For a server that finds every name on this machine and trusts the certificate. */
  readonly outbound: OutboundClient;
  /** A server's sender of pushes, with a key of its own. */
  createSender(privateKey?: string): WebPush;
  /** Subscribes a new browser for the public key of a server. */
  subscribe(serverKey: string): TestBrowser;
}

/** A push that arrives late on a busy machine is not sent twice. */
const LONGER_THAN_TESTS_MS = 120_000;

/**
 * A push service (RFC 8030) of the test's own, with its browsers. It checks the server's signature (RFC 8292) and
 * decrypts as a browser does (RFC 8291), by node:crypto alone. A server that is a program of its own finds it as
 * `127.0.0.1`.
 */
export async function startPushService({ host = 'push.example.com' } = {}): Promise<PushService> {
  const refused: string[] = [];
  const browsers = new Map<string, { readonly browser: TestBrowser; readonly receive: Receive }>();
  const { port } = await serveHttps(async (request, response) => {
    const body = await buffer(request);
    const found = browsers.get(request.url ?? '');
    if (found === undefined) return void response.writeHead(404).end();
    try {
      found.receive(request, body, response);
    } catch (error) {
      refused.push(String(error));
      response.writeHead(400).end();
    }
  });
  const origin = `https://${host}:${port}`;
  const outbound = createOutboundClient({
    ca: TEST_CA,
    allows: () => true,
    anyPort: true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    timeoutMs: LONGER_THAN_TESTS_MS,
  });
  whenDone(() => outbound.close());
  return {
    origin,
    refused,
    outbound,
    createSender: (privateKey = makePushKey()) =>
      createWebPush({ outbound, privateKey, subject: 'https://lost.example.org' }),
    subscribe(serverKey) {
      const path = `/push/${randomBytes(16).toString('base64url')}`;
      const { browser, receive } = createBrowser(`${origin}${path}`, serverKey);
      browsers.set(path, { browser, receive });
      return browser;
    },
  };
}

type Receive = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

function createBrowser(endpoint: string, serverKey: string): { browser: TestBrowser; receive: Receive } {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const secret = randomBytes(16);
  const arrived: ArrivedPush[] = [];
  const browser = {
    endpoint,
    p256dh: pair.getPublicKey('base64url'),
    auth: secret.toString('base64url'),
    arrived,
    attempts: 0,
    respond: null as TestBrowser['respond'],
  };
  return {
    browser,
    receive({ headers, method }, body, response) {
      browser.attempts += 1;
      const subject = readSignature(headers.authorization ?? '', new URL(endpoint).origin, serverKey);
      const { ttl, topic, urgency, 'content-encoding': encoding } = headers;
      must(method === 'POST' && encoding === 'aes128gcm', 'the encoding');
      must(typeof ttl === 'string' && /^\d+$/.test(ttl), 'TTL');
      must(typeof topic === 'string' && /^[A-Za-z0-9_-]{1,32}$/.test(topic), 'Topic');
      must(typeof urgency === 'string' && /^(very-low|low|normal|high)$/.test(urgency), 'Urgency');
      must(body.length <= 4_096, 'the size');
      const payload: unknown = JSON.parse(decrypt(body, pair, secret));
      const { respond } = browser;
      if (respond !== null) return respond(response);
      arrived.push({ endpoint, payload, ttl, topic, urgency, subject });
      response.writeHead(201).end();
    },
  };
}

/** Checks a header of VAPID (RFC 8292) and returns its subject. */
function readSignature(header: string, audience: string, serverKey: string): string {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=([^,]+)$/.exec(header) ?? [];
  must(key === serverKey, 'the key that the browser subscribed with');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const isRight = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  must(isRight, 'the signature');
  must(JSON.parse(Buffer.from(head, 'base64url').toString()).alg === 'ES256', 'the algorithm');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const seconds = Date.now() / 1_000;
  must(aud === audience, 'the audience');
  must(exp > seconds && exp <= seconds + 86_400, 'the expiry');
  must(/^(https:\/\/|mailto:)./.test(sub), 'the subject');
  return sub;
}

/** RFC 8291, section 3.4, and RFC 8188 with one record. */
function decrypt(body: Buffer, pair: ReturnType<typeof createECDH>, secret: Buffer): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  must(keyLength === 65 && record.length <= recordSize, 'the record');
  const shared = pair.computeSecret(senderKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey]);
  const material = hkdfSync('sha256', shared, secret, info, 32);
  const derive = (info: string, length: number) =>
    new Uint8Array(hkdfSync('sha256', new Uint8Array(material), salt, `Content-Encoding: ${info}\0`, length));
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  cipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  const end = padded.lastIndexOf(2);
  must(end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0), 'the padding');
  return padded.subarray(0, end).toString();
}

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`The push service refuses ${what}.`);
}
