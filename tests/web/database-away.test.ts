import { expect, test } from 'vitest';
import { layBreakableLine } from '#tests/support/breakable-line.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const line = await layBreakableLine(database.address);
const web = await startTestServer(line);
const { qrId } = await createItem(database, await createOwner(database));

test('while the database is away a finder is asked to come back, in words, and can the moment it is there', async () => {
  await line.cut();
  for (const path of [`/item/${qrId}`, `/${qrId}`]) {
    const { status, headers, html } = await readDocument(await web.request(path));
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(html).toContain('Unable to retrieve all contact information');
    expect(html).not.toContain('ECONNREFUSED');
  }
  const script = await postForm(
    web,
    `/item/${qrId}/message`,
    { body: 'Hi' },
    { headers: { Accept: 'application/json' } },
  );
  expect([script.status, await script.json()]).toEqual([
    503,
    { problem: 'Unable to retrieve all contact information' },
  ]);
  await line.mend();
  expect((await web.request(`/item/${qrId}`)).status).toBe(200);
});

test('the screens that need no data are there all the same', async () => {
  await line.cut();
  for (const path of ['/', '/auth', '/faq']) expect((await web.request(path)).status).toBe(200);
  await line.mend();
});
