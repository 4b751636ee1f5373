import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { parse } from 'valibot';
import { expect, test } from 'vitest';
import { outboundAllowed } from '#server/settings/outbound.ts';
import { serveHttps, TEST_CA } from '#tests/support/serve-https.ts';
import { serveLoopback } from '#tests/support/serve-loopback.ts';
import { whenDone } from '#tests/support/when-done.ts';
import type { AllowedTargets } from './allowed-targets.ts';
import { createOutboundClient, type OutboundClientOptions, OutboundFailure } from './outbound-client.ts';
import type { ResolvedAddress } from './resolve-name.ts';

const HERE = [{ address: '127.0.0.1', family: 4 }] as const;
const MESSAGE = { headers: { TTL: '60' }, body: 'Hello' };

/** A client that finds every name, and is allowed to connect, on this machine only. */
function createClient(options: OutboundClientOptions = {}) {
  const client = createOutboundClient({
    ca: TEST_CA,
    allows: (address) => address === '127.0.0.1',
    anyPort: true,
    resolve: async () => HERE,
    ...options,
  });
  whenDone(() => client.close());
  return client;
}

const accept: RequestListener = (incoming, response) => {
  incoming.resume();
  response.writeHead(201).end();
};

test('posts the body and its headers, and returns the status and when to retry', async () => {
  const seen: { url: string | undefined; method: string | undefined; ttl: unknown; body: string }[] = [];
  const { port } = await serveHttps(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    seen.push({ url: incoming.url, method: incoming.method, ttl: incoming.headers.ttl, body });
    response.writeHead(429, { 'Retry-After': '120' }).end('slow down');
  });
  const response = await createClient().post(`https://push.example.com:${port}/send/1`, MESSAGE);
  expect(response).toEqual({ status: 429, retryAfter: '120' });
  expect(seen).toEqual([{ url: '/send/1', method: 'POST', ttl: '60', body: 'Hello' }]);
});

test('uses one connection for several requests', async () => {
  const { port, connections } = await serveHttps(accept);
  const client = createClient();
  for (const path of ['1', '2', '3']) await client.post(`https://push.example.com:${port}/${path}`, MESSAGE);
  expect(connections()).toBe(1);
});

test.each([
  'http://push.example.com/1',
  'ftp://push.example.com/1',
  'file:///etc/passwd',
  '//push.example.com/1',
  'not a URL',
  'https://',
  'https://name:password@push.example.com/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://127.0.0.1./',
  'https://127.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fe80::1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.100.100.200/',
  'https://[fd00:ec2::254]/',
  'https://10.0.0.1/',
  'https://push.example.com:8443/',
  'https://push.example.com:22/',
])('does not reach %s [K55]', async (url) => {
  const client = createOutboundClient({ resolve: () => expect.unreachable('it was looked up') });
  expect(client.accepts(url)).toBe(false);
  await expect(client.post(url, MESSAGE)).rejects.toThrow(OutboundFailure);
});

test.each(['localhost', 'LOCALHOST.', 'internal.example.com', 'metadata.google.internal'])(
  'does not connect where %s leads to this machine or its network [K55]',
  async (name) => {
    const { port, connections } = await serveHttps(accept);
    const client = createOutboundClient({
      ca: TEST_CA,
      anyPort: true,
      resolve: async () => [...HERE, { address: '::1', family: 6 }, { address: '10.0.0.1', family: 4 }],
    });
    whenDone(() => client.close());
    await expect(client.post(`https://${name}:${port}/`, MESSAGE)).rejects.toThrow('ENOTALLOWED');
    expect(connections()).toBe(0);
  },
);

test('connects to the allowed addresses of a name and to no other', async () => {
  const { port, connections } = await serveHttps(accept);
  const client = createClient({ resolve: async () => [{ address: '127.0.0.2', family: 4 }, ...HERE] });
  expect(await client.post(`https://push.example.com:${port}/`, MESSAGE)).toMatchObject({ status: 201 });
  expect(connections()).toBe(1);
});

test('a name that leads elsewhere after it was checked is not followed there [K55]', async () => {
  const elsewhere = await serveHttps(accept, '127.0.0.2');
  let lookUps = 0;
  const client = createClient({
    // The first response would pass a check, and the second one be connected to.
    async resolve() {
      lookUps += 1;
      return lookUps === 1 ? HERE : [{ address: '127.0.0.2', family: 4 }];
    },
  });
  const url = `https://push.example.com:${elsewhere.port}/`;
  await expect(client.post(url, MESSAGE)).rejects.toThrow('ECONNREFUSED');
  expect(lookUps).toBe(1);
  await expect(client.post(url, MESSAGE)).rejects.toThrow('ENOTALLOWED');
  expect(elsewhere.connections()).toBe(0);
});

test('returns a redirect as it is [K55]', async () => {
  const target = await serveHttps(accept);
  const { port } = await serveHttps((incoming, response) => {
    incoming.resume();
    response.writeHead(307, { Location: `https://push.example.com:${target.port}/` }).end();
  });
  expect(await createClient().post(`https://push.example.com:${port}/`, MESSAGE)).toMatchObject({ status: 307 });
  expect(target.connections()).toBe(0);
});

test('gives up where the receiver does not respond in time [K55]', async () => {
  const { port } = await serveHttps((incoming) => void incoming.resume());
  const client = createClient({ timeoutMs: 200 });
  await expect(client.post(`https://push.example.com:${port}/`, MESSAGE)).rejects.toThrow(OutboundFailure);
});

test('gives up where the name cannot be resolved in time, and ends the look-up', async () => {
  const ended = Promise.withResolvers<void>();
  const client = createClient({
    timeoutMs: 50,
    resolve: (_, signal) => {
      signal.addEventListener('abort', () => ended.resolve());
      return new Promise(() => undefined);
    },
  });
  await expect(client.post('https://push.example.com/', MESSAGE)).rejects.toThrow(OutboundFailure);
  await ended.promise;
});

test('ends the connection of a response without an end [K55]', async () => {
  const ended = Promise.withResolvers<void>();
  const { port } = await serveHttps(async (incoming, response) => {
    incoming.resume();
    response.writeHead(201);
    response.once('close', () => ended.resolve());
    while (!response.destroyed) if (!response.write('x'.repeat(8_192))) await once(response, 'drain').catch(() => {});
  });
  expect(await createClient().post(`https://push.example.com:${port}/`, MESSAGE)).toMatchObject({ status: 201 });
  await ended.promise;
});

test('ends the connection of a response whose body never comes', async () => {
  const ended = Promise.withResolvers<void>();
  const { port } = await serveHttps((incoming, response) => {
    incoming.resume();
    response.once('close', () => ended.resolve());
    response.writeHead(201, { 'Content-Length': '100' }).flushHeaders();
  });
  const client = createClient({ timeoutMs: 200 });
  expect(await client.post(`https://push.example.com:${port}/`, MESSAGE)).toMatchObject({ status: 201 });
  await ended.promise;
});

test('refuses endless headers, a change of protocol, and a certificate of another authority [K55]', async () => {
  const headers = await serveHttps((incoming, response) => {
    incoming.resume();
    response.writeHead(201, { 'X-Long': 'x'.repeat(20_000) }).end();
  });
  await expect(createClient().post(`https://push.example.com:${headers.port}/`, MESSAGE)).rejects.toThrow(
    'HPE_HEADER_OVERFLOW',
  );
  const upgrade = await serveHttps((incoming) => {
    incoming.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
  });
  await expect(createClient().post(`https://push.example.com:${upgrade.port}/`, MESSAGE)).rejects.toThrow(
    OutboundFailure,
  );
  const client = createOutboundClient({ allows: () => true, anyPort: true, resolve: async () => HERE });
  whenDone(() => client.close());
  await expect(client.post(`https://push.example.com:${headers.port}/`, MESSAGE)).rejects.toThrow(
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  );
});

test('an error names neither the URL nor where it leads', async () => {
  const { port } = await serveHttps((incoming) => void incoming.socket.destroy());
  const failure = await createClient()
    .post(`https://push.example.com:${port}/a-secret-path`, MESSAGE)
    .catch((error: unknown) => error);
  expect(String(failure)).toMatch(/^OutboundFailure: The receiver gave no response \(\w+\)\.$/);
});

const allow = (entries: string): AllowedTargets => parse(outboundAllowed, entries);

test('without permission no other port, no http, and no network beside the internet is reached', async () => {
  const client = createOutboundClient({ allowed: allow(' , '), resolve: async () => HERE });
  whenDone(() => client.close());
  for (const url of ['http://ntfy.lan/', 'https://ntfy.lan:8080/', 'https://10.0.0.1/', 'http://8.8.8.8/'])
    expect(client.accepts(url), url).toBe(false);
});

test('an allowed host is reached on its port and by its protocol only, wherever its name leads', async () => {
  const seen: unknown[] = [];
  const listener: RequestListener = (incoming, response) => {
    seen.push(incoming.headers.host);
    incoming.resume();
    response.writeHead(200).end();
  };
  const plain = new URL(await serveLoopback(listener));
  const { port } = await serveHttps(listener);
  const client = createOutboundClient({
    ca: TEST_CA,
    allowed: allow(`http://ntfy.lan:${plain.port}, hook.example.com:${port}`),
    resolve: async () => [...HERE, { address: '::1', family: 6 }],
  });
  whenDone(() => client.close());
  expect(await client.post(`http://ntfy.lan:${plain.port}/topic`, MESSAGE)).toMatchObject({ status: 200 });
  expect(await client.post(`https://HOOK.example.com:${port}/`, MESSAGE)).toMatchObject({ status: 200 });
  expect(seen).toEqual([`ntfy.lan:${plain.port}`, `hook.example.com:${port}`]);
  for (const url of [
    `https://ntfy.lan:${plain.port}/`,
    `http://ntfy.lan:${port}/`,
    'http://ntfy.lan/',
    `http://hook.example.com:${port}/`,
    `http://ntfy.lan.:${plain.port}/`,
    `http://sub.ntfy.lan:${plain.port}/`,
    `http://other.lan:${plain.port}/`,
    `http://ntfy.lan:${plain.port}@other.lan/`,
    `http://name@ntfy.lan:${plain.port}/`,
    `http://127.0.0.1:${plain.port}/`,
  ]) {
    expect(client.accepts(url), url).toBe(false);
    await expect(client.post(url, MESSAGE), url).rejects.toThrow(OutboundFailure);
  }
  // Its usual port is not among the allowed ones, but as any name of the internet it may be named.
  await expect(client.post('https://hook.example.com/', MESSAGE)).rejects.toThrow('ENOTALLOWED');
  expect(seen).toHaveLength(2);
});

test('an allowed network is reached on its port, and neither another network nor the internet is', async () => {
  const { port, connections } = await serveHttps(accept);
  let leadsTo: ResolvedAddress = { address: '127.0.0.1', family: 4 };
  const client = createOutboundClient({
    ca: TEST_CA,
    allowed: allow(`127.0.0.1/32:${port},10.0.0.0/8,fd00::/8`),
    resolve: async () => [leadsTo],
  });
  whenDone(() => client.close());
  const url = `https://push.example.com:${port}/`;
  expect(await client.post(url, MESSAGE)).toMatchObject({ status: 201 });
  expect(await client.post(`https://127.0.0.1:${port}/`, MESSAGE)).toMatchObject({ status: 201 });
  const reached = connections();
  client.close();
  for (const [address, family] of [
    ['127.0.0.2', 4],
    ['8.8.8.8', 4],
    ['10.0.0.1', 4],
    ['::ffff:127.0.0.1', 6],
    ['::1', 6],
    ['fd00::1%lo', 6],
  ] as const) {
    leadsTo = { address, family };
    await expect(
      client.post(`https://name-${address.replaceAll(/[.:%]/g, '-')}.example.com:${port}/`, MESSAGE),
      address,
    ).rejects.toThrow('ENOTALLOWED');
  }
  expect(client.accepts('https://10.1.2.3/')).toBe(true);
  expect(client.accepts('https://[fd00::1]/')).toBe(true);
  for (const refused of [
    'https://192.168.1.1/',
    'https://[fc00::1]/',
    'https://[::ffff:10.1.2.3]/',
    'http://10.1.2.3/',
    'https://10.1.2.3:8080/',
    `https://10.1.2.3:${port}/`,
    `https://8.8.8.8:${port}/`,
    'https://169.254.169.254/',
  ])
    expect(client.accepts(refused), refused).toBe(false);
  expect(connections()).toBe(reached);
});

test.each(['http:', 'https:'])('an allowed host by %s does not redirect elsewhere', async (protocol) => {
  const target = await serveHttps(accept);
  const redirect: RequestListener = (incoming, response) => {
    incoming.resume();
    response.writeHead(302, { Location: `https://127.0.0.1:${target.port}/` }).end();
  };
  const port = protocol === 'http:' ? new URL(await serveLoopback(redirect)).port : (await serveHttps(redirect)).port;
  const client = createOutboundClient({
    ca: TEST_CA,
    allowed: allow(`${protocol === 'http:' ? 'http://' : ''}hook.example.com:${port}`),
    resolve: async () => [...HERE, { address: '::1', family: 6 }],
  });
  whenDone(() => client.close());
  expect(await client.post(`${protocol}//hook.example.com:${port}/`, MESSAGE)).toMatchObject({ status: 302 });
  expect(target.connections()).toBe(0);
});

test('a header with a line break is not sent', async () => {
  const { port, connections } = await serveHttps(accept);
  const request = { headers: { Title: 'Keys\r\nX-Injected: yes' }, body: '' };
  await expect(createClient().post(`https://push.example.com:${port}/`, request)).rejects.toThrow(
    'Invalid character in header',
  );
  expect(connections()).toBe(0);
});
