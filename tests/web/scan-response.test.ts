import { expect, test } from 'vitest';
import { linkInText } from '#domain/link-in-text.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database);
const { qrId: tagged } = await createItem(database, owner);
const unclaimed = await issueTagCode(database);
const unknown = createTagCode();

const ITEM = `/item/${tagged}`;
const SIGNED_IN = { Cookie: 'theme=dark; reunite_signed_in=1' };

test.each([
  // A sticker that is not claimed, and the links that the app generates.
  [`/${unclaimed}`, `/auth/${unclaimed}`],
  [`/${unknown}`, `/auth/${unknown}`],
  [`/?code=${tagged}`, ITEM],
  [`/?code=${unclaimed}`, `/auth/${unclaimed}`],
  // Every form that a code can have in an address, in the specification's order.
  [`/${tagged}/`, ITEM],
  [`/qr?qr_id=${tagged}`, ITEM],
  [`/qr?code=${tagged}`, ITEM],
  [`/qr?qr=${tagged}`, ITEM],
  [`/qr?qr=${unclaimed}&code=${unclaimed}&qr_id=${tagged}`, ITEM],
  [`/some/where/${tagged}/else?qr_id=${unclaimed}`, ITEM],
  [`/nowhere?qr=${tagged}`, ITEM],
  [`/old/auth/${tagged}`, ITEM],
  [`/qr?qr=${unclaimed}`, `/auth/${unclaimed}`],
  // On the screens of an item a `?code=` names another one.
  [`/item/${unclaimed}?code=${tagged}`, ITEM],
])('a visitor at %s is redirected to %s', async (path, target) => {
  const response = await web.request(path);
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(target);
});

test.each(['-', '_'])(
  'a printed code that ends in %s works, also escaped as it stands in texts [K70]',
  async (mark) => {
    const { qrId } = await createItem(database, owner, { qrId: `tgt-aPrintedSticker${mark}` });
    const escaped = linkInText(qrId);
    expect(escaped).not.toBe(qrId);
    for (const path of [`/${qrId}`, `/item/${qrId}`, `/item/${escaped}`]) {
      expect([path, (await web.request(path)).status]).toEqual([path, 200]);
    }
    for (const path of [`/${escaped}`, `/?code=${escaped}`]) {
      expect([path, (await web.request(path)).headers.get('location')]).toEqual([path, `/item/${qrId}`]);
    }
  },
);

test.each(['.', ').', '%E2%80%9D', '_', '-', '%3E', '%E3%80%82', '%C2%BB'])(
  'a mark after any address of ours is left out: %s [K91]',
  async (mark) => {
    const isOfCodes = /^[-_]$/.test(mark);
    for (const path of isOfCodes ? [ITEM] : [ITEM, '/faq', '/found', '/auth', '/privacy']) {
      const response = await web.request(`${path}${mark}`);
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, path]);
    }
    if (isOfCodes) return;
    const signedIn = await web.request(`/dashboard${mark}`, { headers: SIGNED_IN });
    expect(signedIn.headers.get('location')).toBe('/dashboard');
  },
);

test.each(['’s', "'s", '.html', '&gt;', '%3Cbr%3E'])(
  'what follows the code after a mark is left out: %s [K91]',
  async (end) => {
    for (const headers of [{}, SIGNED_IN]) {
      const ask = (path: string) => web.request(path, { headers });
      let path = `${ITEM}${encodeURI(decodeURI(end))}`;
      // A mark at the end is left out first.
      for (let hop = 0; hop < 2 && path !== ITEM; hop += 1) path = (await ask(path)).headers.get('location') ?? '';
      expect(path).toBe(ITEM);
    }
  },
);

test.each([
  '//evil.example.',
  '///evil.example).',
  '/\\evil.example.',
  '/%2F%2Fevil.example.',
  '/%5Cevil.example.',
  '/).',
])('a mark after %s leads to no other site [B17]', async (path) => {
  const location = (await web.request(path)).headers.get('location');
  expect(location ?? '/').toMatch(/^\/(?![/\\])/);
});

test.each(['/%C3%A9', '/%c3%a9.', '/item%20a-.', '/%0d%0a_).', '/a%2F.', '/%E2%80%9Da.%2f', '/nowhere%20%2F', '/%00.'])(
  'the marks after %s are left out once, and no address leads to itself',
  async (path) => {
    const seen = new Set<string>();
    for (let at: string | null = path; at !== null; at = (await web.request(at)).headers.get('location')) {
      expect(seen).not.toContain(at);
      seen.add(at);
    }
    expect(seen.size).toBeLessThanOrEqual(3);
  },
);

test('an address keeps its query without the mark, and a form is not redirected', async () => {
  expect((await web.request(`${ITEM}.?sent=1`)).headers.get('location')).toBe(`${ITEM}?sent=1`);
  expect((await web.request(`${ITEM}/message.`, { method: 'POST' })).status).not.toBe(302);
});

test('no code that the database generates ends in a mark, which programs leave out of links [K70]', async () => {
  const codes = await database.query<{ code: string }>(
    'select internal.new_tag_code() as code from generate_series(1, 2000)',
  );
  expect(new Set(codes.map(({ code }) => code)).size).toBe(2000);
  for (const { code } of codes) expect(code).toMatch(/^tgt-[A-Za-z0-9_-]{15}[A-Za-z0-9]$/);
});

test('a sticker’s own address serves the finder’s page in one round trip, and sets nothing', async () => {
  const [scanned, page] = await Promise.all([web.request(`/${tagged}`), web.request(ITEM)]);
  expect(scanned.status).toBe(200);
  expect(scanned.headers.get('set-cookie')).toBeNull();
  for (const name of ['content-security-policy', 'cache-control', 'vary', 'x-robots-tag', 'content-type', 'etag']) {
    expect(scanned.headers.get(name), name).toBe(page.headers.get(name));
  }
  expect(await scanned.text()).toBe(await page.text());
  const etag = scanned.headers.get('etag') ?? '';
  expect((await web.request(`/${tagged}`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  expect((await web.request(`/${tagged}`, { method: 'HEAD' })).status).toBe(200);
  // Only the item's page confirms a message: any link could have this query.
  const withQuery = await web.request(`/${tagged}?sent=1&utm_source=poster`);
  expect(await withQuery.text()).toBe(await (await web.request(ITEM)).text());
});

test.each([[`/${tagged}`], [`/?code=${tagged}`], [`/qr?qr=${tagged}`], [`/lost/${tagged}`]])(
  'a signed-in user goes from %s to the item, whether it has an owner or not',
  async (path) => {
    const known = await web.request(path, { headers: SIGNED_IN });
    expect(known.status).toBe(302);
    expect(known.headers.get('location')).toBe(`${ITEM}#scanned`);
    const other = await web.request(path.replace(tagged, unclaimed), { headers: SIGNED_IN });
    expect(other.headers.get('location')).toBe(`/item/${unclaimed}#scanned`);
  },
);

test.each([
  ['/', 200],
  [`/?qr_id=${tagged}`, 200],
  ['/?code=', 200],
  ['/?code=not%20a%20code', 200],
  ['/auth', 200],
  [`/auth/${unclaimed}`, 200],
  ['/privacy', 200],
  ['/not-found', 404],
  ['/nowhere', 404],
  ['/nowhere?qr=https%3A%2F%2Fevil.example', 404],
])('%s is a screen with the status %i', async (path, status) => {
  const response = await web.request(path);
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
});

test.each([
  '/?code=//evil.example',
  '/?code=https://evil.example',
  '/qr?qr_id=%2F%2Fevil.example',
  '/qr?qr=..%2F..%2Fevil',
  '//evil.example/%2e%2e',
  '/tgt-%0d%0aLocation:%20https://evil.example',
  '/tgt-%E0%A4%A',
  '/%',
  `/${'tgt-'.padEnd(70, 'x')}`,
])('%s does not redirect', async (path) => {
  const response = await web.request(path);
  expect(response.status).toBeLessThan(500);
  expect(response.headers.get('location') ?? '/').toMatch(/^\/(?![/\\])/);
});

test('a malformed URL gets a page of ours', async () => {
  const response = await web.request('/item/%E0%A4%A');
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).toContain('Page not found');
});

test('the return from a sign-in is never treated as a scan', async () => {
  const response = await web.request('/auth/callback?code=34e770dd-9ff9-416c-87fa-43b31d7ef225');
  expect(response.headers.get('location')).toBeNull();
});

test('after sixty codes without an item in an hour, an address learns of no further miss, and still finds items [D30]', async () => {
  const address = '203.0.113.60';
  for (let index = 0; index < 60; index += 1) {
    const response = await web.request(`/${createTagCode()}`, { address });
    expect(response.status).toBe(302);
  }
  const refused = await web.request(`/${createTagCode()}`, { address });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Others behind the same address find what they scan.
  expect((await web.request(`/${tagged}`, { address })).status).toBe((await web.request(`/${tagged}`)).status);
  expect((await web.request(ITEM, { address })).status).toBe(200);
});
