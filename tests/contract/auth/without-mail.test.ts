import { expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const delivery = catchDelivery({ hasSms: false });
const server = await startTestServer(database, { delivery, environment: { SMTP_URL: 'none', MAIL_FROM: '' } });
const service = server.client({ key: server.secrets.secretKey });

async function signIn() {
  const email = anEmail();
  const password = 'correct horse';
  await service.auth.admin.createUser({ email, password, email_confirm: true });
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error !== null) throw error;
  return { client, email };
}

test('a sign-up waits for an operator, and whatever would need an email is refused', async () => {
  const email = anEmail();
  const client = server.client();
  const { data, error } = await client.auth.signUp({ email, password: 'correct horse' });
  expect(error).toBeNull();
  expect(data.user?.app_metadata).toMatchObject({ confirmation_sent_by: 'operator' });
  expect(data.session).toBeNull();

  const off = { code: 'email_provider_disabled', status: 400, message: 'This server sends no email' };
  expect((await client.auth.resetPasswordForEmail(email)).error).toMatchObject(off);
  expect((await client.auth.signInWithOtp({ email })).error).toMatchObject(off);
  expect((await client.auth.resend({ type: 'signup', email })).error).toMatchObject(off);
  expect((await client.auth.resend({ type: 'email_change', email })).error).toMatchObject(off);
  expect((await service.auth.admin.inviteUserByEmail(anEmail())).error).toMatchObject(off);
  const owner = await signIn();
  expect((await owner.client.auth.updateUser({ email: anEmail() })).error).toMatchObject(off);
  expect((await owner.client.auth.reauthenticate()).error).toMatchObject({ status: 422 });
  const invited = { email_param: anEmail(), phone_param: null };
  expect((await owner.client.rpc('invite_second_contact', invited)).error).toMatchObject({ code: '22023' });
  const offered = { item_id_param: crypto.randomUUID(), email_param: anEmail() };
  expect((await owner.client.rpc('offer_item', offered)).error).toMatchObject({ code: '22023' });

  const { data: link } = await service.auth.admin.generateLink({ type: 'magiclink', email });
  const opened = await client.auth.verifyOtp({ token_hash: link.properties?.hashed_token ?? '', type: 'signup' });
  expect(opened.data.user).toMatchObject({ email });
  expect(delivery.emails).toEqual([]);
});

test('a finder’s message is on the screen, its job is done, and no finder reads that an email left', async () => {
  const owner = await createOwner(database, { phone: aPhone() });
  const item = await createItem(database, owner);
  await actAs(database, VISITOR, (client) =>
    client.query('select public.send_message($1, $2)', [item.qrId, 'I have your keys']),
  );
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
  expect(delivery.emails).toEqual([]);
  const [conversation] = await database.query(
    'select delivered_at, delivered_until from public.conversations where item_id = $1',
    [item.id],
  );
  expect(conversation).toEqual({ delivered_at: null, delivered_until: null });
  expect(server.logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);

  const page = await server.request(`/item/${item.qrId}/email`);
  expect([page.status, page.headers.get('location')]).toEqual([303, `/item/${item.qrId}`]);
  expect(await (await server.request('/auth?mode=login')).text()).not.toContain('Email me a link');
  expect(await (await server.request('/auth?mode=link')).text()).not.toContain('We’ll email you a link');
});

test('an operator sees that there is no mail server', async () => {
  expect((await service.rpc('look_at_service')).data).toMatchObject({
    mail: { kind: 'none', works: true },
    sms: false,
  });
});
