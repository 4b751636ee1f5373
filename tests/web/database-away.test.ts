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

test('while the database is down a finder gets a page that says to retry, and the retry works once it is back [I58]', async () => {
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
  // The first connections may take longer than the first statements may.
  await expect.poll(async () => (await web.request(`/item/${qrId}`)).status).toBe(200);
});

test('a finder in a conversation sees the item that the server knows, and the script asks for the conversation', async () => {
  const sent = await postForm(web, `/item/${qrId}/message`, { body: 'I have it' });
  const headers = { Cookie: sent.headers.get('set-cookie')?.split(';')[0] ?? '' };
  expect((await readDocument(await web.request(`/item/${qrId}`, { headers }))).html).toContain('I have it');
  await line.cut();
  const away = await readDocument(await web.request(`/item/${qrId}`, { headers }));
  expect(away.status).toBe(200);
  expect(away.headers.get('cache-control')).toBe('private, no-store');
  expect(away.html).toMatch(/data-conversation="[^"]+" data-ask=""/);
  await line.mend();
});

test('screens that need no data still work', async () => {
  await line.cut();
  for (const path of ['/', '/auth', '/faq']) expect((await web.request(path)).status).toBe(200);
  await line.mend();
});
