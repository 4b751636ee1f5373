import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
// Its clock is stopped, so that nothing cached expires by itself.
const web = await startTestServer(database, { clock: createTestClock({ stands: true }) });

/** A code that an owner has claimed and not tagged anything with. */
async function claimCode() {
  const owner = await createOwner(database, { fullName: 'Noa Canarysurname' });
  const code = createTagCode();
  await database.query('select internal.claim_code($1, $2)', [code, owner.id]);
  return { owner, code, page: `/item/${code}` };
}

const itemsWith = (code: string) =>
  database.query<{ user_id: string; item_name: string }>(
    'select user_id, item_name from public.items where qr_id = $1',
    [code],
  );

test('a scan leads a finder to the owner, with the first name and nothing else', async () => {
  const { owner, code, page } = await claimCode();
  expect(await (await web.request(page)).text()).toBe(await (await web.request(`/${code}`)).text());
  const { status, html, everything } = await readDocument(await web.request(`/${code}`));
  expect(status).toBe(200);
  expect(html).toContain('You found something of Noa’s');
  expect(html).not.toContain('registered');
  for (const secret of ['Canarysurname', owner.id, owner.email, owner.phone.slice(1)]) {
    expect(everything).not.toContain(secret);
  }
  expect(await itemsWith(code), 'looking makes nothing').toEqual([]);
});

test('a message reaches the owner as one about the first item of the code, and so does the next', async () => {
  const { owner, code, page } = await claimCode();
  for (const body of ['I have it', 'At the desk']) {
    expect((await postForm(web, `${page}/message`, { body })).status).toBe(303);
  }
  expect(await itemsWith(code)).toEqual([{ user_id: owner.id, item_name: 'My Tagged Item' }]);
  const messages = await database.query<{ body: string }>(
    'select body from public.messages where owner_id = $1 order by created_at',
    [owner.id],
  );
  expect(messages.map(({ body }) => body)).toEqual(['I have it', 'At the desk']);
});

test('a contact method opens, and is recorded', async () => {
  const { owner, code, page } = await claimCode();
  const opened = await postForm(web, `${page}/contact`, { channel: 'call' });
  expect(opened.headers.get('location')).toBe(`tel:${owner.phone}`);
  expect(await itemsWith(code)).toHaveLength(1);
});

test('two finders at once make one item', async () => {
  const { code, page } = await claimCode();
  const sent = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      postForm(web, `${page}/message`, { body: `Number ${index}` }, { address: `203.0.113.${50 + index}` }),
    ),
  );
  expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(303));
  expect(await itemsWith(code)).toHaveLength(1);
});

test('the owner’s changes show at once: the name, the contact methods, and giving the code back', async () => {
  const { owner, code, page } = await claimCode();
  const read = async () => (await readDocument(await web.request(page))).html;
  expect(await read()).toContain('value="call"');
  await database.query("update public.profiles set full_name = 'Gila Bar', call_enabled = false where id = $1", [
    owner.id,
  ]);
  await expect.poll(read).toContain('You found something of Gila’s');
  expect(await read()).not.toContain('value="call"');
  await database.query('update public.qr_codes set owner_id = null, claimed_at = null where qr_id = $1', [code]);
  await expect.poll(async () => (await web.request(page)).status).toBe(404);
});
