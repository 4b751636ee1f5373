import { expect, test } from 'vitest';
import { LANGUAGE_LIST } from '#domain/language-list.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const web = await startTestServer(await createTestDatabase());

const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await web.request(path, { headers });
  return { html: await response.text(), headers: response.headers };
};

test('a screen of owners has the words of one language, and names their place before any script', async () => {
  const { html, headers } = await read('/auth?mode=login');
  expect(html).toContain('<html lang="en" dir="ltr"');
  const [, folder] =
    /<script type="importmap" nonce="[^"]+">\{"imports":\{"words\/":"([^"]+)"\}\}<\/script>/.exec(html) ?? [];
  expect(folder).toMatch(/^\/assets\/words\/en-[\w-]{8}\/$/);
  expect(html.indexOf('importmap')).toBeLessThan(html.indexOf('modulepreload'));
  const preloaded = html.match(/<link rel="modulepreload"[^>]* href="\/assets\/words\/[^"]+"/g) ?? [];
  expect(preloaded.length).toBeGreaterThan(0);
  for (const link of preloaded) expect(link).toContain(folder);
  expect(headers.get('vary')).toContain('Accept-Language');
  expect(headers.get('vary')).toContain('Cookie');

  const common = await web.request(`${folder}app.js`);
  expect(common.status).toBe(200);
  expect(common.headers.get('cache-control')).toContain('immutable');
});

test('a language that only finders have leaves owners the next one', async () => {
  const tag = LANGUAGE_LIST.find(({ tier }) => tier === 'finder')?.tag ?? '';
  const { html } = await read('/auth?mode=login', { Cookie: `language=${tag}`, 'Accept-Language': `${tag}, en` });
  expect(html).toContain('<html lang="en"');
});

test('every page of the app leads to the languages without a script', async () => {
  for (const path of ['/', '/privacy']) expect((await read(path)).html).toContain('href="/language"');
});
