import type { EmailOtpType, SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { operatorClient } from '#tests/support/factories/operator-client.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { ownPort } from '#tests/support/own-port.ts';
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
  const opened = await client.auth.verifyOtp({ token_hash: link.properties?.hashed_token ?? '', type: 'magiclink' });
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

test('what is not mailed counts as no failure, and a setting that needs mail is named once in the log', async () => {
  const [own, port] = [await createTestDatabase(), await ownPort()];
  const reporting = await startTestServer(own, {
    delivery: catchDelivery({ hasSms: false }),
    environment: {
      SMTP_URL: 'none',
      MAIL_FROM: '',
      OPERATOR_EMAIL: 'operator@example.org',
      METRICS_PORT: String(port),
    },
  });
  await own.query("insert into internal.reports (kind, qr_id) values ('abuse', 'tgt-reported')");
  await expect.poll(() => jobsAtHand(own)).toEqual([]);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(/^reunite_deliveries_total\{way="email",outcome="failed"\} 0$/m);
  const warnings = reporting.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  expect(warnings.map(({ msg }) => msg)).toEqual([
    'OPERATOR_EMAIL gets no email, because SMTP_URL is none. Reports are in the console.',
  ]);
});

test('an operator sees that there is no mail server', async () => {
  expect((await service.rpc('look_at_service')).data).toMatchObject({
    mail: { kind: 'none', works: true },
    sms: false,
  });
});

const operator = await operatorClient(server);

async function makeLink(email: string, reason: string | null = null) {
  const { data, error } = await operator.rpc('make_link', { email_param: email, reason_param: reason });
  if (error !== null) throw error;
  const [, hash = '', type = ''] = /#token_hash=([\w-]+)&type=(\w+)$/.exec(data.path) ?? [];
  return { hash, type: type as EmailOtpType };
}

const open = (client: SupabaseClient, { hash, type }: { readonly hash: string; readonly type: EmailOtpType }) =>
  client.auth.verifyOtp({ token_hash: hash, type });

const signInError = async (email: string, password: string) =>
  (await server.client().auth.signInWithPassword({ email, password })).error?.code;

test('an invitation opens an account once, the newest alone, and is in no log', async () => {
  const email = anEmail();
  const first = await makeLink(email);
  const newest = await makeLink(` ${email.toUpperCase()} `);
  const client = server.client();
  expect((await open(client, first)).error?.code).toBe('otp_expired');
  const opened = await open(client, newest);
  expect(opened.data.user).toMatchObject({ email, app_metadata: { password_needed: true } });
  expect((await open(server.client(), newest)).error?.code).toBe('otp_expired');
  expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull();
  expect(await signInError(email, 'another horse')).toBeUndefined();
  expect(server.logged.join()).not.toContain(newest.hash);
});

test('a link confirms what its reader registered, and nothing that others entered for the address', async () => {
  const email = anEmail();
  const thief = server.client();
  await thief.auth.signUp({ email, password: 'thief horse', options: { data: { full_name: 'Thief' } } });
  const reader = server.client();
  await reader.auth.signUp({ email, password: 'reader horse', options: { data: { full_name: 'Reader' } } });
  const opened = await open(reader, await makeLink(email));
  expect(opened.data.user).toMatchObject({ email, user_metadata: { full_name: 'Reader' } });
  expect(opened.data.user?.app_metadata.password_needed).toBeUndefined();
  expect(await signInError(email, 'thief horse')).toBe('invalid_credentials');
  expect(await signInError(email, 'reader horse')).toBeUndefined();

  const other = anEmail();
  await thief.auth.signUp({ email: other, password: 'thief horse', options: { data: { full_name: 'Thief' } } });
  const elsewhere = await open(server.client(), await makeLink(other));
  expect(elsewhere.data.user?.user_metadata.full_name).toBeUndefined();
  expect(elsewhere.data.user?.app_metadata).toMatchObject({ password_needed: true });
  expect(await signInError(other, 'thief horse')).toBe('invalid_credentials');
});

test('an account chooses a new password by a link', async () => {
  const { email } = await signIn();
  const link = await makeLink(email, 'They forgot it');
  expect(link.type).toBe('recovery');
  const client = server.client();
  expect((await open(client, link)).error).toBeNull();
  expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull();
  expect(await signInError(email, 'another horse')).toBeUndefined();
});

test('an account that was confirmed by phone is found by its number, and chooses a new password', async () => {
  const [email, phone] = [anEmail(), aPhone()];
  await service.auth.admin.createUser({ phone, password: 'correct horse', phone_confirm: true });
  await database.query('update auth.users set claimed_email = $2 where phone = $1', [phone.slice(1), email]);
  const byAddress = { email_param: email, reason_param: 'They forgot it' };
  expect((await operator.rpc('make_link', byAddress)).error).toMatchObject({ code: 'PT422' });
  const unknown = { ...byAddress, email_param: aPhone() };
  expect((await operator.rpc('make_link', unknown)).error).toMatchObject({ code: 'PT404' });
  const link = await makeLink(phone, 'They forgot it');
  expect(link.type).toBe('recovery');
  const client = server.client();
  const opened = await open(client, link);
  expect(opened.data.user).toMatchObject({ phone: phone.slice(1) });
  expect(opened.data.user?.email_confirmed_at, 'the address is proved by nothing').toBeUndefined();
  expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull();
  const again = await server.client().auth.signInWithPassword({ phone, password: 'another horse' });
  expect(again.error).toBeNull();
});

test('no operator gets a link to an account that is an operator’s, confirmed or not, or that became one', async () => {
  const email = anEmail();
  const { data } = await service.auth.admin.createUser({ email, password: 'correct horse' });
  await service.rpc('add_operator', { user_id_param: data.user?.id }).throwOnError();
  const asked = { email_param: email, reason_param: 'They forgot it' };
  expect((await operator.rpc('make_link', asked)).error).toMatchObject({ code: 'PT409' });

  const promoted = await signIn();
  const link = await makeLink(promoted.email, 'They forgot it');
  const { data: known } = await promoted.client.auth.getUser();
  await service.rpc('add_operator', { user_id_param: known.user?.id }).throwOnError();
  expect((await open(server.client(), link)).error?.code).toBe('otp_expired');
});

test('an address means the account that signs in with it, however its domain is written', async () => {
  const [name = ''] = anEmail().split('@');
  const email = `${name}@xn--mller-kva.example`;
  const secret = server.client({ key: server.secrets.secretKey });
  await secret.auth.admin.createUser({ email, password: 'correct horse', email_confirm: true });
  expect((await makeLink(`${name}@MÜLLER.example`, 'They forgot it')).type).toBe('recovery');
});

test('the console makes no links where there is a mail server, and none for an address that cannot be one', async () => {
  const denied = { email_param: 'nobody', reason_param: 'They forgot it' };
  expect((await operator.rpc('make_link', denied)).error).toMatchObject({ code: '22023' });
  const mailing = await startTestServer(database, { secrets: server.secrets });
  const there = await operatorClient(mailing);
  const asked = { email_param: anEmail(), reason_param: null };
  expect((await there.rpc('make_link', asked)).error).toMatchObject({ code: 'PT404' });
  expect((await (await signIn()).client.rpc('make_link', asked)).error).toMatchObject({ code: '42501' });
});
