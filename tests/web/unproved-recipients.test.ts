import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

const jobsDone = () => expect.poll(() => jobsAtHand(database)).toEqual([]);
const mailsTo = (address: string) => server.delivery.emails.filter(({ to }) => to === address);
const textsTo = (number: string) => server.delivery.texts.filter(({ to }) => to === number);

const invite = ({ client }: RegisteredOwner, email_param: string | null, phone_param: string | null = null) =>
  client.rpc('invite_second_contact', { email_param, phone_param });

async function offer(giver: RegisteredOwner, email_param: string) {
  const { id } = await createItem(database, giver.user);
  return giver.client.rpc('offer_item', { item_id_param: id, email_param });
}

/** Accounts that claim the address, and write to it in every way that there is. Returns the statuses of what may refuse. */
async function flood(address: string, accounts: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < accounts; at += 1) {
    const stranger = await registerOwner(server, { email: address });
    const item = await createItem(database, stranger.user);
    const other = await registerOwner(server);
    for (const finder_key_param of [randomUUID(), randomUUID(), randomUUID()]) {
      const message = { qr_id_param: item.qrId, body_param: 'Found', finder_key_param };
      await server.client().rpc('send_message', message).throwOnError();
    }
    statuses.push((await offer(other, address)).status, (await invite(other, address)).status);
  }
  await jobsDone();
  return statuses;
}

test('an address that no one proved gets five emails a day of all kinds and senders, none is refused, and its own code arrives [K60]', async () => {
  const address = anEmail();
  const statuses = await flood(address, 8);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(mailsTo(address)).toHaveLength(5);
  for (const mail of mailsTo(address)) {
    expect(mail.unsubscribeUrl).toMatch(/\/emails\/stop\/[\w-]{86}$/);
    expect([mail.text.split(mail.unsubscribeUrl ?? '').length, mail.html?.includes(mail.unsubscribeUrl ?? '')]).toEqual(
      [2, true],
    );
  }

  const reader = server.client();
  expect((await reader.auth.signInWithOtp({ email: address })).error).toBeNull();
  expect(mailsTo(address)).toHaveLength(6);
  const token = server.delivery.codeFor(address);
  expect((await reader.auth.verifyOtp({ email: address, token, type: 'email' })).error).toBeNull();
});

test('one press ends all emails to an address that its reader did not ask for, and opening the link ends none [K60]', async () => {
  const address = anEmail();
  const [one, other] = [await registerOwner(server), await registerOwner(server)];
  await offer(one, address);
  const { unsubscribeUrl = '' } = await server.delivery.takeEmailTo(address);
  const path = new URL(unsubscribeUrl).pathname;
  expect((await server.request(path)).status).toBe(200);
  await invite(one, address);
  await server.delivery.takeEmailTo(address);

  // As a mail service posts it, without cookies and from another site.
  const pressed = await server.request(path, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect(pressed.status).toBe(200);
  expect((await offer(other, address.toUpperCase())).status).toBe(200);
  expect((await invite(other, address)).status).toBe(200);
  await registerOwner(server, { email: address });
  await jobsDone();
  expect(mailsTo(address)).toHaveLength(2);
  const reader = server.client();
  await reader.auth.signInWithOtp({ email: address });
  expect(mailsTo(address), 'a code that the reader asked for').toHaveLength(3);

  const forged = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`;
  expect((await server.request(`${forged.slice(0, -40)}${'A'.repeat(40)}`, { method: 'POST' })).status).toBe(404);
});

test('a call that is rolled back uses nothing up [K60]', async () => {
  const address = anEmail();
  const stranger = await registerOwner(server);
  const { id } = await createItem(database, stranger.user);
  const rolledBack = (name: string, parameters: object) =>
    server.request(`/rest/v1/rpc/${name}`, {
      method: 'POST',
      body: JSON.stringify(parameters),
      headers: {
        apikey: server.secrets.publishableKey,
        Authorization: `Bearer ${stranger.session.access_token}`,
        'Content-Type': 'application/json',
        Prefer: 'tx=rollback',
      },
    });
  for (let at = 0; at < 6; at += 1) {
    await rolledBack('offer_item', { item_id_param: id, email_param: address });
    await rolledBack('invite_second_contact', { email_param: address, phone_param: null });
  }
  await jobsDone();
  expect(mailsTo(address)).toEqual([]);
  const friend = await registerOwner(server);
  expect((await offer(friend, address)).status).toBe(200);
  expect((await invite(friend, address)).status).toBe(200);
  await jobsDone();
  expect(mailsTo(address)).toHaveLength(2);
});

test('a number that no one proved gets five SMS a day of all kinds and senders, and the code that its own account asks for [K60]', async () => {
  const phone = aPhone();
  for (let at = 0; at < 8; at += 1) {
    const details = { email: anEmail(), password: 'correct horse', options: { data: { full_name: 'Sam', phone } } };
    expect((await server.client().auth.signUp(details)).error).toBeNull();
  }
  for (let at = 0; at < 3; at += 1) {
    expect((await invite(await registerOwner(server), null, phone)).status).toBe(200);
  }
  await jobsDone();
  expect(textsTo(phone)).toHaveLength(5);
  const reader = await registerOwner(server);
  expect((await reader.client.auth.updateUser({ phone })).error).toBeNull();
  expect(textsTo(phone)).toHaveLength(6);
  const token = server.delivery.codeFor(phone);
  expect((await reader.client.auth.verifyOtp({ phone, token, type: 'phone_change' })).error).toBeNull();
});
