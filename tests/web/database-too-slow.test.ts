import { expect, test } from 'vitest';
import { connectTo } from '#tests/support/connect-to.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);

test('while statements time out, cached pages are shown and the others get a time to retry [I58]', async () => {
  const owner = await createOwner(database);
  const known = await createItem(database, owner, { itemName: 'Known keys' });
  const unknown = await createItem(database, owner, { itemName: 'Unknown keys' });
  // On a busy machine the first statements of a server may take longer than theirs.
  await expect.poll(async () => (await web.request(`/item/${known.qrId}`)).status).toBe(200);
  // Too old to be shown without a look at the database.
  web.clock.advance(10_000);

  const locking = await connectTo(database.address);
  await locking.query('begin');
  await locking.query('lock table public.items in access exclusive mode');

  const shown = await readDocument(await web.request(`/item/${known.qrId}`));
  expect(shown.status).toBe(200);
  expect(shown.html).toContain('Known keys');

  for (const path of [`/item/${unknown.qrId}`, `/${unknown.qrId}`]) {
    const { status, headers, html } = await readDocument(await web.request(path));
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('2');
    expect(html).toContain('Unable to retrieve all contact information');
  }

  await locking.query('rollback');
  await expect.poll(async () => (await web.request(`/item/${unknown.qrId}`)).status).toBe(200);
});
