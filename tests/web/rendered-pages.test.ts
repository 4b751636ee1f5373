import { expect, test } from 'vitest';
import { RENDERS } from '#server/web/checks/render-allowance.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const clock = holdTime();
const web = await startTestServer(database, { clock });
const item = await createItem(database, await createOwner(database));

test('an address gets 400 rendered pages at once, then a prepared refusal; cached pages are still served [K34]', async () => {
  const address = anAddress();
  const ask = (path: string, options = {}) => web.request(path, { address, ...options });
  const rendered = await Promise.all(Array.from({ length: RENDERS.burst }, () => ask('/terms')));
  expect(new Set(rendered.map(({ status }) => status))).toEqual(new Set([200]));

  const refused = await Promise.all(['/', '/terms', '/auth', '/nowhere/at/all'].map((path) => ask(path)));
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(Array(4).fill([429, '1']));
  const policies = refused.map(({ headers }) => headers.get('ratelimit-policy'));
  expect(policies, 'it is named').toEqual(Array(4).fill(`"pages_per_address";q=${RENDERS.burst}`));
  const bodies = await Promise.all(refused.map((response) => response.text()));
  expect(new Set(bodies).size, 'one document for all').toBe(1);
  expect(bodies[0]).toContain('Too many requests in a short time');

  const emptyMessage = { method: 'POST', body: new URLSearchParams({ body: '' }) };
  expect((await ask(`/item/${item.qrId}/message`, emptyMessage)).status, 'a refused form').toBe(429);
  expect((await ask(`/item/${item.qrId}`)).status, 'a finished page').toBe(200);
  const message = { method: 'POST', body: new URLSearchParams({ body: 'I have it' }), redirect: 'manual' };
  expect((await ask(`/item/${item.qrId}/message`, message)).status, 'a message').toBe(303);
  expect((await web.request('/terms')).status, 'another address').toBe(200);

  clock.advance(1_000);
  const later = await Promise.all(Array.from({ length: RENDERS.perSecond + 1 }, () => ask('/terms')));
  expect(later.filter(({ status }) => status === 200)).toHaveLength(RENDERS.perSecond);
});
