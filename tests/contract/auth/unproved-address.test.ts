import { describe, expect, test } from 'vitest';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { tablesWith } from '#tests/support/tables-with.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinksIn } from './support/link-in.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

/** An owner whose phone is proved, with the question to the address that was only typed. */
async function askedOwner() {
  const owner = await registerOwner(server);
  const mail = await server.delivery.takeEmailTo(owner.email);
  clock.advance(60_000);
  const [proof, disowning] = ownLinksIn(mail);
  if (proof === undefined || disowning === undefined) throw new Error(mail.text);
  return { owner, mail, proof, disowning };
}

/** Follows the link in the owner's own browser. */
function verify(tokenHash: string, { client }: RegisteredOwner) {
  const cookie = { Cookie: server.cookiesOf(client) };
  return callAuth(server, 'POST', '/verify', { type: 'email', token_hash: tokenHash }, cookie);
}

async function jobsDone(): Promise<void> {
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
}

test('a code by SMS leaves the address unproved; the link in the later email proves it, and opens no session', async () => {
  const { owner, mail, proof } = await askedOwner();
  expect(owner.user).not.toHaveProperty('email_confirmed_at');
  expect(mail.subject).toBe('Confirm your email for Reunite');
  expect([proof.page, proof.type]).toEqual([`${server.url}/auth/callback`, 'email']);

  const sessions = () => database.query('select id from auth.sessions where user_id = $1', [owner.user.id]);
  const before = await sessions();
  const { data, error } = await owner.client.auth.verifyOtp({ token_hash: proof.tokenHash, type: 'email' });
  expect(error).toBeNull();
  expect(data).toEqual({ user: null, session: null });
  expect(await sessions()).toEqual(before);
  const { data: now } = await owner.client.auth.getUser();
  expect(now.user?.email_confirmed_at).toBeDefined();
  expect(now.user?.identities).toMatchObject([{ identity_data: { email_verified: true } }]);
  expect((await verify(proof.tokenHash, owner)).body.code).toBe('otp_expired');
});

test('an unproved address gets three notices, the last one says so; proved, it gets every one [K11]', async () => {
  const { owner, mail: first, proof, disowning } = await askedOwner();
  expect([first.subject, first.text, first.html].join()).not.toContain('Olive');
  const qrId = 'tgt-CALL-0900-CANARY-SCAM';
  const item = await createItem(database, owner.user, { itemName: 'Canary item', qrId });
  for (const notice of [1, 2, 3]) {
    await sendMessage(database, item, `Canary message ${notice}`);
    const mail = await server.delivery.takeEmailTo(owner.email);
    expect(mail.subject).toBe('Someone found your item');
    expect([mail.subject, mail.text, mail.html].join(), 'nothing that a person typed').not.toMatch(/canary|olive/i);
    expect(mail.text.includes('This is the last of these emails')).toBe(notice === 3);
    expect(ownLinksIn(mail), 'the links of every mail are the same').toEqual([proof, disowning]);
  }
  await sendMessage(database, item, 'Message 4');
  await jobsDone();
  const notices = () =>
    server.delivery.emails.filter(({ to, key }) => to === owner.email && key?.startsWith('message:'));
  expect(notices()).toHaveLength(3);
  const counted = async () => (await owner.client.rpc('count_unproved_notices')).data;
  expect(await counted(), 'those without an email as well').toBe(4);

  expect((await verify(proof.tokenHash, owner)).status).toBe(200);
  for (const notice of [5, 6, 7, 8]) {
    await sendMessage(database, item, `Message ${notice}`);
    const mail = await server.delivery.takeEmailTo(owner.email);
    expect(mail.text).toContain(`> Message ${notice}`);
    expect(ownLinksIn(mail)).toEqual([]);
  }
  expect(await counted()).toBe(0);
});

test('one finder who writes often uses up one of the notices of an unproved address, and another finder is mailed [K60]', async () => {
  const { owner } = await askedOwner();
  const item = await createItem(database, owner.user);
  const write = (finder_key_param: string, body_param: string) =>
    server.client().rpc('send_message', { qr_id_param: item.qrId, body_param, finder_key_param }).throwOnError();
  const counted = async () => (await owner.client.rpc('count_unproved_notices')).data;
  for (const body of ['One', 'Two', 'Three', 'Four']) await write('a finder with much to say', body);
  await server.delivery.takeEmailTo(owner.email);
  await jobsDone();
  expect(await counted()).toBe(1);
  for (const finder of ['a second finder of the item', 'a third finder of the item']) {
    await write(finder, 'I have it');
    expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe('Someone found your item');
  }
  expect(await counted()).toBe(3);
  const mails = server.delivery.emails.filter(({ to, key }) => to === owner.email && key?.startsWith('message:'));
  expect(mails).toHaveLength(3);
  expect(mails.map(({ text }) => text.includes('This is the last of these emails'))).toEqual([false, false, true]);
});

describe('an account that was confirmed by a shared phone, and has no number of its own', () => {
  /** Two accounts of one household: the number belongs to the first one. */
  async function secondAccount() {
    const first = await registerOwner(server);
    clock.advance(60_000);
    const second = await registerOwner(server, { phone: first.phone, password: 'battery staple' });
    expect(second.user.phone).toBe('');
    return { first, second };
  }
  const signIn = async (details: { email: string; password: string } | { phone: string; password: string }) =>
    (await server.client().auth.signInWithPassword(details)).data.user?.id;

  test('still signs in with its address and password after another account has proved the address [K44]', async () => {
    const { second } = await secondAccount();
    const { email, password } = second;
    clock.advance(60_000);
    const reader = server.client();
    await reader.auth.signInWithOtp({ email });
    const proved = await reader.auth.verifyOtp({ email, token: server.delivery.codeFor(email), type: 'email' });
    const winner = { email, password: 'another horse' };
    expect((await reader.auth.updateUser({ password: winner.password })).error).toBeNull();
    expect((await second.client.auth.getUser()).data.user).toMatchObject({
      email: '',
      app_metadata: { address_lost: true },
    });

    expect(await signIn({ email, password })).toBe(second.user.id);
    expect(await signIn(winner)).toBe(proved.data.user?.id);
    expect(await signIn({ email, password: 'wrong' })).toBeUndefined();
    // Nothing else that the address does is the account's any more.
    clock.advance(60_000);
    await server.client().auth.resetPasswordForEmail(email);
    const token = server.delivery.codeFor(email);
    const recovered = await server.client().auth.verifyOtp({ email, token, type: 'recovery' });
    expect(recovered.data.user?.id).toBe(proved.data.user?.id);

    // Another password, and then a name of its own.
    await second.client.auth.updateUser({ password: 'a third horse' });
    expect(await signIn({ email, password: 'a third horse' })).toBe(second.user.id);
    const phone = aPhone();
    await second.client.auth.updateUser({ phone });
    const code = server.delivery.codeFor(phone);
    expect((await second.client.auth.verifyOtp({ phone, token: code, type: 'phone_change' })).error).toBeNull();
    expect(await signIn({ email, password: 'a third horse' })).toBeUndefined();
    expect(await signIn({ phone, password: 'a third horse' })).toBe(second.user.id);
  });

  test('and after the reader of the address has disowned it, of which only a fingerprint is left [K44]', async () => {
    const { second } = await secondAccount();
    const [, disowning] = ownLinksIn(await server.delivery.takeEmailTo(second.email));
    const visitor = server.client();
    expect((await visitor.rpc('disown_address', { token_param: disowning?.tokenHash })).data).toBe(true);
    expect(await signIn(second)).toBe(second.user.id);
    expect(await tablesWith(database, second.email)).toEqual([]);
  });
});

test('a reader who disowns the address removes it and gets no more email; the account stays', async () => {
  const { owner, proof, disowning } = await askedOwner();
  const item = await createItem(database, owner.user);
  expect(disowning.page).toBe(`${server.url}/not-mine`);
  const visitor = server.client();
  const disown = async () => (await visitor.rpc('disown_address', { token_param: disowning.tokenHash })).data;
  expect(await disown()).toBe(true);
  expect(await disown()).toBe(false);
  expect((await verify(proof.tokenHash, owner)).body.code).toBe('otp_expired');

  const { data } = await owner.client.auth.getUser();
  expect(data.user).toMatchObject({ id: owner.user.id, email: '', phone: owner.phone.slice(1) });
  expect(JSON.stringify(data.user)).not.toContain(owner.email);
  expect(await database.query('select email from public.profiles where id = $1', [owner.user.id])).toEqual([
    { email: null },
  ]);
  await sendMessage(database, item);
  await jobsDone();
  expect(server.delivery.emails.filter(({ to }) => to === owner.email)).toHaveLength(1);
  await server.client().auth.signInWithOtp({ phone: owner.phone });
  const token = server.delivery.codeFor(owner.phone);
  const signedIn = await server.client().auth.verifyOtp({ phone: owner.phone, token, type: 'sms' });
  expect(signedIn.data.user?.id).toBe(owner.user.id);
});

test('an address that was proved cannot be disowned, and one that changed is proved by no old link', async () => {
  const [proved, moved] = [await askedOwner(), await askedOwner()];
  await verify(proved.proof.tokenHash, proved.owner);
  const { data } = await server.client().rpc('disown_address', { token_param: proved.disowning.tokenHash });
  expect(data).toBe(false);
  expect((await proved.owner.client.auth.getUser()).data.user?.email).toBe(proved.owner.email);

  await database.query("update auth.users set claimed_email = 'moved-' || claimed_email where id = $1", [
    moved.owner.user.id,
  ]);
  expect((await verify(moved.proof.tokenHash, moved.owner)).body.code).toBe('otp_expired');
});

test('the request to confirm is sent again while it is pending', async () => {
  const { owner, proof } = await askedOwner();
  const { auth } = server.client();
  expect((await auth.resend({ type: 'signup', email: owner.email })).error).toBeNull();
  expect(ownLinksIn(await server.delivery.takeEmailTo(owner.email))[0]).toEqual(proof);
  await verify(proof.tokenHash, owner);
  clock.advance(60_000);
  expect((await auth.resend({ type: 'signup', email: owner.email })).error).toBeNull();
  await jobsDone();
  expect(server.delivery.emails.filter(({ to }) => to === owner.email)).toHaveLength(2);
});

test('a link proves no address in a stranger’s browser, so its reader cannot be led into an account [K2]', async () => {
  const { owner, proof } = await askedOwner();
  const reader = server.client();
  const { error } = await reader.auth.verifyOtp({ token_hash: proof.tokenHash, type: 'email' });
  expect(error).toMatchObject({ status: 403, code: 'reauthentication_needed' });
  const signIn = await server.client().auth.signInWithPassword(owner);
  expect(signIn.data.user).not.toHaveProperty('email_confirmed_at');
});

test('when two accounts claim an address, the one that proves it gets it; the other keeps its data and is notified [K2]', async () => {
  const { owner: loser } = await askedOwner();
  const item = await createItem(database, loser.user);
  const winner = await registerOwner(server, { email: loser.email, password: 'another horse' });
  const [proof] = ownLinksIn(await server.delivery.takeEmailTo(loser.email));
  await server.delivery.takeSmsTo(loser.phone);
  expect((await verify(proof?.tokenHash ?? '', winner)).status).toBe(200);

  const reported = await server.delivery.takeSmsTo(loser.phone);
  expect(reported.text).toContain("Someone else confirmed your account's email");
  expect(reported.text).not.toContain(loser.email);
  const { data } = await loser.client.auth.getUser();
  expect(data.user).toMatchObject({ email: '', phone: loser.phone.slice(1), app_metadata: { address_lost: true } });
  expect(await database.query('select user_id from public.items where id = $1', [item.id])).toEqual([
    { user_id: loser.user.id },
  ]);
  const { auth } = server.client();
  const { email, password, phone } = loser;
  expect((await auth.signInWithPassword({ email, password })).error).toMatchObject({ code: 'invalid_credentials' });
  expect((await auth.signInWithPassword({ phone, password })).data.user?.id).toBe(loser.user.id);
  expect((await auth.signInWithPassword(winner)).data.user?.id).toBe(winner.user.id);
});
