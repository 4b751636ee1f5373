import { expect, test } from 'vitest';
import { expectPage } from '#tests/support/expect-page.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openBrowser } from './support/open-browser.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database, { environment: { OPERATOR_EMAIL: 'operator@lost.example.org' } });
const owner = await createOwner(database, { fullName: 'Dana Canarysurname' });

const report = (
  item: Pick<TestItem, 'qrId'>,
  fields: Readonly<Record<string, string>>,
  { address = anAddress(), headers = {} }: { address?: string; headers?: Readonly<Record<string, string>> } = {},
) => postForm(web, `/item/${item.qrId}/report`, fields, { address, headers });

const reportsOf = ({ qrId }: Pick<TestItem, 'qrId'>) =>
  database.query<{ kind: string; body: string | null }>(
    'select kind, body from internal.reports where qr_id = $1 order by created_at, id',
    [qrId],
  );

test.each([true, false])('a finder reports a page, with a script: %s', async (javaScriptEnabled) => {
  const item = await createItem(database, owner, { itemName: 'House keys' });
  const visit = await openBrowser();
  await visit(
    async ({ page }) => {
      await page.goto(`${web.url}/item/${item.qrId}`);
      await page.getByRole('link', { name: 'Report this page' }).click();
      await expectPage(page.getByText('You’re reporting the page of “House keys”.')).toBeVisible();
      await page.getByLabel('The page is abusive').check();
      await page.getByLabel('Details (optional)').fill('It asks for my password.');
      await page.getByRole('button', { name: 'Send report' }).click();
      await expectPage(page.getByRole('heading', { name: 'Thank you for your report' })).toBeVisible();
      await page.getByRole('link', { name: 'Back to the item’s page' }).click();
      await expectPage(page.getByRole('heading', { name: 'House keys' })).toBeVisible();
    },
    { javaScriptEnabled },
  );
  expect(await reportsOf(item)).toEqual([{ kind: 'abuse', body: 'It asks for my password.' }]);
});

test('the operator gets an email with the words of the finder, and nothing of the finder or the owner', async () => {
  const item = await createItem(database, owner, { itemName: 'Canary name', description: 'canary description' });
  const address = anAddress();
  await report(item, { kind: 'planted', body: 'Look at <b>this</b>' }, { address });
  const aboutThis = () => web.delivery.emails.find(({ text }) => text.includes(item.qrId));
  await expect.poll(aboutThis).toBeDefined();
  const mail = aboutThis();
  if (mail === undefined) throw new Error('There is no email.');
  expect(mail.subject).toBe('Someone reported a page on Reunite');
  expect(mail.text).toContain('Someone put the sticker there to mislead people');
  expect(mail.text).toContain('> Look at <b>this</b>');
  const [row] = await database.query<{ id: string; everything: string }>(
    'select id, to_jsonb(reports)::text as everything from internal.reports where qr_id = $1',
    [item.qrId],
  );
  expect(mail.text).toContain(`npm run reunite -- reports close ${row?.id}`);
  expect(mail.text + mail.html).not.toContain(owner.id);
  const secrets = [owner.email, owner.phone, 'Dana', 'Canary', 'canary description', item.id, address];
  for (const secret of secrets) {
    expect(mail.text + mail.html + mail.subject).not.toContain(secret);
    expect(row?.everything).not.toContain(secret);
  }
});

test('a report without a choice, and one that is too long, are shown again and not stored', async () => {
  const item = await createItem(database, owner);
  for (const [fields, problem] of [
    [{ body: 'Rude <b>' }, 'Choose what’s wrong.'],
    [{ kind: 'nonsense', body: 'Rude <b>' }, 'Choose what’s wrong.'],
    [{ kind: 'abuse', body: `<b>${'x'.repeat(500)}` }, 'Keep it to 500 characters or fewer.'],
  ] as const) {
    const { status, html } = await readDocument(await report(item, fields));
    expect(status).toBe(422);
    expect(html).toContain(problem);
    expect(html).toContain('&lt;b&gt;');
  }
  expect(await reportsOf(item)).toEqual([]);
});

test('neither other sites nor codes without an item get a report in', async () => {
  const item = await createItem(database, owner);
  expect((await report(item, { kind: 'abuse' }, { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403);
  const nowhere = { qrId: createTagCode() };
  expect((await report(nowhere, { kind: 'abuse' })).status).toBe(404);
  expect((await web.request(`/item/${nowhere.qrId}/report`)).status).toBe(404);
  expect([await reportsOf(item), await reportsOf(nowhere)]).toEqual([[], []]);
});

test('one address cannot flood the operator, and learns nothing of other reports', async () => {
  const item = await createItem(database, owner);
  const [first, second] = [anAddress(), anAddress()];
  const statuses = [];
  for (const body of ['1', '2', '3', '4']) {
    statuses.push((await report(item, { kind: 'abuse', body }, { address: first })).status);
  }
  expect(statuses).toEqual([303, 303, 303, 429]);
  // The same words as an open report: the response is the same, and nothing is stored.
  const again = await report(item, { kind: 'abuse', body: '1' }, { address: second });
  expect([again.status, again.headers.get('location')]).toEqual([303, `/item/${item.qrId}/report?sent=1`]);
  expect((await reportsOf(item)).map(({ body }) => body)).toEqual(['1', '2', '3']);

  for (let at = 0; at < 9; at += 1) {
    const other = await createItem(database, owner);
    expect((await report(other, { kind: 'abuse' }, { address: second })).status).toBe(303);
  }
  const refused = await report(await createItem(database, owner), { kind: 'abuse' }, { address: second });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
});

test('a flood takes no open report away: beyond 20 of a kind, further ones are counted in the oldest', async () => {
  const item = await createItem(database, owner);
  const reportPage = (kind: string, body: string) =>
    database.query('select internal.report_page($1, $2, $3)', [item.qrId, kind, body]);
  for (let at = 0; at < 52; at += 1) await reportPage('abuse', `${at}`);
  await reportPage('abuse', '7');
  await reportPage('planted', 'It is not mine');
  const rows = await database.query<{ body: string; repeats: number }>(
    'select body, repeats from internal.reports where qr_id = $1 order by created_at, id',
    [item.qrId],
  );
  const repeats: Readonly<Record<string, number>> = { 0: 32, 7: 1 };
  expect(rows).toEqual([
    ...Array.from({ length: 20 }, (_, at) => ({ body: `${at}`, repeats: repeats[at] ?? 0 })),
    { body: 'It is not mine', repeats: 0 },
  ]);
});

test('a report stays with the account that it was about, also when the sticker has another owner', async () => {
  const [first, second] = [await createOwner(database), await createOwner(database)];
  const item = await createItem(database, first);
  await report(item, { kind: 'abuse' });
  await database.query('delete from public.items where id = $1', [item.id]);
  await createItem(database, second, { qrId: item.qrId });
  const accounts = async () => {
    const [row] = await database.query<{ shown: { id: string; owner_then: string | null; owner_id: string } }>(
      'select public.show_report(id) as shown from internal.reports where qr_id = $1',
      [item.qrId],
    );
    return [row?.shown.owner_then, row?.shown.owner_id];
  };
  expect(await accounts()).toEqual([first.id, second.id]);
  await database.query('delete from auth.users where id = $1', [first.id]);
  expect(await accounts()).toEqual([null, second.id]);
});

test('an operator takes a reported page down and puts it back: all codes of the item, with the reason for its owner', async () => {
  const operator = web.client({ key: web.secrets.secretKey });
  const item = await createItem(database, owner);
  const [further, voidBefore] = [createTagCode(), createTagCode()];
  for (const code of [further, voidBefore]) {
    await database.query('insert into public.qr_codes (qr_id, owner_id, stands_for) values ($1, $2, $3)', [
      code,
      owner.id,
      item.qrId,
    ]);
  }
  await operator
    .rpc('void_code', { qr_id_param: voidBefore, reason_param: 'Misprint', claimed_too: true })
    .throwOnError();
  await report(item, { kind: 'planted' });
  const [{ id } = { id: '' }] = await database.query<{ id: string }>(
    'select id from internal.reports where qr_id = $1',
    [item.qrId],
  );
  const statusOf = async (code: string) => (await web.request(`/item/${code}`)).status;
  const reasons = () =>
    database.query<{ void_reason: string | null }>(
      'select void_reason from public.qr_codes where qr_id = any ($1) order by array_position($1, qr_id)',
      [[item.qrId, further, voidBefore]],
    );
  const take = (reason = 'A planted tag') =>
    operator.rpc('take_page_down', { report_id_param: id, reason_param: reason });
  expect((await take('x'.repeat(201))).error).not.toBeNull();
  expect(await statusOf(item.qrId)).toBe(200);

  expect((await take()).data).toBe('taken_down');
  await expect.poll(() => statusOf(item.qrId)).toBe(404);
  expect(await statusOf(further)).toBe(404);
  expect((await reasons()).map((row) => row.void_reason)).toEqual(['A planted tag', 'A planted tag', 'Misprint']);
  expect((await take()).data).toBe('void');
  // A sticker that the owner adds meanwhile is taken down, and put back, with the others.
  const added = createTagCode();
  await database.query('insert into public.qr_codes (qr_id, owner_id, stands_for) values ($1, $2, $3)', [
    added,
    owner.id,
    item.qrId,
  ]);
  expect((await take('Again')).data).toBe('taken_down');
  expect(await statusOf(added)).toBe(404);
  const mails = () =>
    database.query("select from graphile_worker.jobs where task_identifier = 'send_void_mail' and key like '%' || $1", [
      owner.id,
    ]);
  expect(await mails()).toHaveLength(1);

  const putBack = () => operator.rpc('put_page_back', { report_id_param: id });
  expect((await putBack()).data).toBe(true);
  for (const code of [item.qrId, further, added]) await expect.poll(() => statusOf(code)).toBe(200);
  expect((await reasons()).map((row) => row.void_reason)).toEqual([null, null, 'Misprint']);
  expect((await putBack()).data).toBe(false);
  const events = await database.query<{ event: string; details: object }>(
    `select event, details from auth.audit_log
       where user_id = $1 and by_operator and details ->> 'codes' in ('2', '3') order by id`,
    [owner.id],
  );
  expect(events.map(({ event }) => event)).toEqual(['codes_voided', 'codes_restored']);

  // Another account's page is not what was reported.
  const other = await createOwner(database);
  await database.query('update internal.reports set owner_then = $2 where id = $1', [id, other.id]);
  expect((await take()).data).toBe('changed_hands');
  expect(await statusOf(item.qrId)).toBe(200);
});
