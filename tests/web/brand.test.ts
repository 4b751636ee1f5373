import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { hashSource } from '#server/http/plain-pages/hash-source.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const folder = await temporaryFolder();
const logo = join(folder, 'logo.svg');
await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const branded = await startTestServer(database, {
  environment: {
    BRAND_COLOR: '#7A1F5C',
    BRAND_LOGO: logo,
    BRAND_SENTENCE: 'Lost property office of <Haifa>',
    BRAND_LINKS: '{"Imprint":"https://haifa.example/imprint","פרטיות":"https://haifa.example/privacy"}',
  },
});
const plain = await startTestServer(database);
const item = await createItem(database, await createOwner(database));
const pages = ['/', '/auth', '/terms', `/item/${item.qrId}`];
const styleOf = (html: string) => /<style[^>]*>(:root:root\{[^<]*)<\/style>/.exec(html)?.[1] ?? '';

test.each(pages)('%s shows the color, the logo and the links of the operator, as its policy allows', async (path) => {
  const response = await branded.request(path);
  const html = await response.text();
  const [style, policy] = [styleOf(html), response.headers.get('content-security-policy') ?? ''];
  expect(style).toContain('--color-primary:#7a1f5c;');
  const [, image = ''] = /url\((\/brand-logo\?[0-9a-f]{12})\)/.exec(style) ?? [];
  const served = await branded.request(image);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(served.headers.get('content-security-policy'), 'no script').toMatch(/default-src 'none'.*sandbox/);
  expect(served.headers.get('cache-control')).toContain('immutable');
  for (const link of ['https://haifa.example/imprint', 'https://haifa.example/privacy']) {
    expect(html).toContain(`href="${link}"`);
  }
  const nonce = /<style nonce="([^"]+)"/.exec(html)?.[1];
  expect(policy).toContain(nonce === undefined ? hashSource(style) : `'nonce-${nonce}'`);
});

test('a finder reads who the operator is', async () => {
  const html = await (await branded.request(`/item/${item.qrId}`)).text();
  expect(html).toContain('Lost property office of &lt;Haifa&gt;');
});

test.each(pages)('%s shows nothing of that without the settings', async (path) => {
  const html = await (await plain.request(path)).text();
  expect([styleOf(html), html.includes('haifa')]).toEqual(['', false]);
  expect((await plain.request('/brand-logo')).status).toBe(404);
});

test.each([
  [{ BRAND_COLOR: 'green' }, 'BRAND_COLOR must be a color such as #0b5d4d.'],
  [
    { BRAND_COLOR: '#ffcc00' },
    'BRAND_COLOR must be darker: on white it has too little contrast to be read. The nearest such color is #',
  ],
  [{ BRAND_LOGO: join(folder, 'missing.png') }, 'BRAND_LOGO must be an image that the service can read: ENOENT'],
  [{ BRAND_LOGO: import.meta.filename }, 'BRAND_LOGO must be an image: SVG, PNG, or WebP.'],
  [{ BRAND_LINKS: '{"Imprint":"javascript:alert(1)"}' }, 'BRAND_LINKS must be names and addresses as JSON'],
  [{ BRAND_LINKS: '["https://example.org"]' }, 'BRAND_LINKS must be names and addresses as JSON'],
  [{ BRAND_SENTENCE: 'x'.repeat(161) }, 'BRAND_SENTENCE must have at most 160 characters.'],
])('a server does not start with %j, and says why', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});

test('the offline page shows the color and has the logo in it, as its policy allows', async () => {
  const script = await (await branded.request('/service-worker.js')).text();
  const { html, headers } = JSON.parse(/^const OFFLINE_PAGE=(.*);$/m.exec(script)?.[1] ?? '');
  const style = styleOf(html);
  expect(style).toContain('--color-primary:#7a1f5c;');
  expect(style).toContain(`url(data:image/svg+xml;base64,${(await readFile(logo)).toString('base64')})`);
  const policy = headers['Content-Security-Policy'];
  expect(policy).toContain(hashSource(style));
  expect(policy).toContain('img-src data:');
  expect(await (await plain.request('/service-worker.js')).text()).not.toMatch(/:root:root|img-src/);
});
