import { readdir } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const web = await startTestServer(await createTestDatabase());
const screen = await (await web.request('/faq')).text();
const script = /\/assets\/entry\.client-[\w-]+\.js/.exec(screen)?.[0] ?? '';

test('a file with a hash in its name is cached for a year and compressed', async () => {
  const plain = await web.request(script);
  expect(plain.status).toBe(200);
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
  const packed = await web.request(script, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(packed.headers.get('vary')).toBe('Accept-Encoding');
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect(brotliDecompressSync(bytes).equals(Buffer.from(await plain.arrayBuffer()))).toBe(true);
});

test('a page requests its styles before its scripts, because nothing is painted without them', () => {
  const asked = Array.from(screen.matchAll(/<link [^>]*rel="(?:module)?preload" href="([^"]+)"/g), ([, file]) => file);
  expect(asked[0]).toMatch(/\.css$/);
  expect(screen).toContain(`rel="stylesheet" href="${asked[0]}"`);
});

test('a repeated request with its tag costs nothing', async () => {
  const first = await web.request(script);
  const again = await web.request(script, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});

test.each([
  '/assets/gone-12345678.js',
  '/assets/../../package.json',
  '/assets/%2e%2e/%2e%2e/server/index.js',
  '/assets/..%2f..%2fpackage.json',
  `${script}.br`,
  '/.vite/manifest.json',
])('%s is no file of ours', async (path) => {
  const response = await web.request(path);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain('"dependencies"');
});

test('a file accepts only GET and HEAD', async () => {
  const response = await web.request(script, { method: 'POST', body: 'x' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD');
});

test('a screen is compressed, and its policy lets no other page frame it [G49]', async () => {
  const response = await web.request('/', { headers: { 'Accept-Encoding': 'gzip, br' } });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).not.toContain('unsafe');
  expect(response.headers.get('x-frame-options')).toBe('DENY');
});

test('no screen carries a style attribute, which its policy would refuse', async () => {
  for (const path of ['/', '/auth', '/privacy', '/terms', '/faq', '/not-found', '/qr']) {
    expect(await (await web.request(path)).text(), path).not.toMatch(/<[^>]+\sstyle=/);
  }
});

test('only workers, with a policy of their own, may run WebAssembly', async () => {
  const scripts = (await readdir('build/client/assets')).filter((name) => name.endsWith('.js'));
  const policies = await Promise.all(
    scripts.map(async (name) => (await web.request(`/assets/${name}`)).headers.get('content-security-policy')),
  );
  const allowed = scripts.filter((_, index) => policies[index]?.includes('wasm-unsafe-eval'));
  expect(allowed.toSorted()).toEqual([
    expect.stringMatching(/^decode-worker-/),
    expect.stringMatching(/^typeset-worker-/),
  ]);
  for (const path of ['/', '/dashboard', '/auth', '/not-found']) {
    expect((await web.request(path)).headers.get('content-security-policy')).not.toContain('wasm');
  }
});

test('the icon that browsers request by themselves exists', async () => {
  const response = await web.request('/favicon.ico');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/x-icon');
});
