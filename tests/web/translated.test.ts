import { expect, test } from 'vitest';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Hope Levi' });
const item = await createItem(database, owner, { itemName: 'Keys', reward: 'Cake', noteToFinders: 'Ring the bell' });
await database.query('update public.items set lost_at = now() where id = $1', [item.id]);
const page = `/item/${item.qrId}`;

/** The texts of a page without those that a browser which translates it leaves alone. */
const translatable = (whole: string) =>
  whole
    .slice(whole.indexOf('<body>'), whole.lastIndexOf('<script'))
    .replaceAll(/<(\w+)[^>]* translate="no"[^>]*>[^<]*<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, '\n');

test('a browser that translates a finder’s pages leaves the owner’s name, codes, and the product’s name alone [K76]', async () => {
  const sent = await postForm(web, `${page}/message`, { body: 'I have it.' });
  const cookies = sent.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  const Cookie = cookies.join('; ');
  for (const [path, headers] of [
    [page, {}],
    [page, { Cookie }],
    [`${page}?sent=1`, { Cookie }],
    [`${page}/say`, { Cookie }],
    [`${page}/email`, { Cookie }],
    [`${page}/report`, {}],
    ['/found', {}],
  ] as const) {
    const { whole } = await readDocument(await web.request(path, { headers }));
    const texts = translatable(whole);
    expect(whole, path).toContain('>Reunite</span>');
    expect(texts, path).not.toMatch(/Hope|Reunite|tgt-/);
    expect(texts, path).not.toContain(typedCodeOf(item.qrId));
    const [, returnCode = 'none'] = /data-return-code[^>]*>([^<]+)</.exec(whole) ?? [];
    expect(texts, path).not.toContain(returnCode);
  }
});
