import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database);

test.each([
  ['message', { body: 'Is this yours?' }],
  ['contact', { channel: 'call' }],
])(
  '%s about an item that was deleted while its page was open: the page’s script gets the text',
  async (way, fields) => {
    const item = await createItem(database, owner);
    expect((await web.request(`/item/${item.qrId}`)).status).toBe(200);
    await database.query('delete from public.items where id = $1', [item.id]);
    const script = { headers: { Accept: 'application/json' } };
    await expect.poll(async () => (await postForm(web, `/item/${item.qrId}/${way}`, fields, script)).status).toBe(404);
    const response = await postForm(web, `/item/${item.qrId}/${way}`, fields, script);
    expect(await response.json()).toEqual({ problem: 'No one has tagged an item with this code yet.' });
  },
);
