import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { createTestWeb } from './support/create-test-web.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
let away = false;
const web = await createTestWeb(database, {
  around: (real) => ({
    ...real,
    readAsVisitor: (statement) =>
      away
        ? Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
        : real.readAsVisitor(statement),
  }),
});
const { qrId } = await createItem(database, await createOwner(database));

test('while the database is away a finder is asked to come back, in words, and can the moment it is there', async () => {
  away = true;
  for (const path of [`/item/${qrId}`, `/${qrId}`]) {
    const { status, headers, html } = await readDocument(await web.request(path));
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(html).toContain('Unable to retrieve all contact information');
    expect(html).not.toContain('ECONNREFUSED');
  }
  const script = await web.post(`/item/${qrId}/message`, { body: 'Hi' }, { headers: { Accept: 'application/json' } });
  expect([script.status, await script.json()]).toEqual([
    503,
    { problem: 'Unable to retrieve all contact information' },
  ]);
  away = false;
  expect((await web.request(`/item/${qrId}`)).status).toBe(200);
});

test('the screens that need no data are there all the same', async () => {
  away = true;
  for (const path of ['/', '/auth', '/faq']) expect((await web.request(path)).status).toBe(200);
  away = false;
});
