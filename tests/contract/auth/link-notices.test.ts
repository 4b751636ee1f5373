import { expect, test } from 'vitest';
import type { OutboundClient } from '#server/delivery/outbound/outbound-client.ts';
import { makeSecrets } from '#server/start/secrets.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createPushSubscription } from '#tests/support/factories/create-push-subscription.ts';
import { operatorClient } from '#tests/support/factories/operator-client.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { startNoticeReceiver } from '#tests/support/notice-receiver.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { postForm } from '#tests/web/support/post-form.ts';

const database = await createTestDatabase();
const [pushService, receiver] = [await startPushService(), await startNoticeReceiver()];
const outbound: OutboundClient = {
  ...receiver.outbound,
  post: (url, ...rest) => (url.startsWith(pushService.origin) ? pushService : receiver).outbound.post(url, ...rest),
};
const secrets = await makeSecrets();
const server = await startTestServer(database, {
  secrets,
  outbound,
  delivery: catchDelivery(),
  environment: { SMTP_URL: 'none', MAIL_FROM: '' },
});
const { publicKey } = pushService.createSender(secrets.pushKey ?? '');
const service = server.client({ key: secrets.secretKey });
const operator = await operatorClient(server);
whenDone(() => expect(pushService.refused).toEqual([]));

async function createAccount(details: { readonly phone?: string } = {}) {
  const account = { email: anEmail(), password: 'correct horse', ...details };
  const { data, error } = await service.auth.admin.createUser({ ...account, email_confirm: true, phone_confirm: true });
  if (error !== null) throw error;
  const client = server.client();
  await client.auth
    .signInWithPassword({ email: account.email, password: account.password })
    .then(({ error: refused }) => expect(refused).toBeNull());
  return { ...account, id: data.user.id, client };
}

async function makeLink(email: string) {
  const { data } = await operator
    .rpc('make_link', { email_param: email, reason_param: 'They forgot it' })
    .throwOnError();
  return /#token_hash=([\w-]+)&/.exec(data.path)?.[1] ?? '';
}

test('an owner is notified of an operator’s link on the screen, on every device and address, and by SMS', async () => {
  const phone = aPhone();
  const { client, id, email } = await createAccount({ phone });
  const browser = pushService.subscribe(publicKey);
  await createPushSubscription(database, { id }, browser, publicKey);
  await createNoticeAddress(database, { id }, { kind: 'ntfy', url: `${receiver.http}/told` });
  await createNoticeAddress(database, { id }, { kind: 'webhook', url: `${receiver.https}/told-by-webhook` });
  await makeLink(email);

  const line = 'An operator of this service made a one-time link to your account';
  const { data } = await client.rpc('list_account_changes').throwOnError();
  expect(data.changes[0]).toMatchObject({ kind: 'operator_made_link', reason: 'They forgot it', is_elsewhere: true });
  expect((await server.delivery.takeSmsTo(phone)).text).toMatch(
    /^Reunite: An operator of this service made a one-time link to your account\. Wasn't you\? http/,
  );
  await expect
    .poll(() => browser.arrived)
    .toMatchObject([
      {
        payload: { notification: { title: 'Reunite', body: line, navigate: `${server.url}/profile/security#changes` } },
      },
    ]);
  await expect.poll(() => receiver.arrivedAt('/told').at(-1)?.body).toBe(line);
  await expect
    .poll(() => receiver.arrivedAt('/told-by-webhook').map(({ body }) => JSON.parse(body)))
    .toContainEqual({ type: 'account.changed', timestamp: expect.any(String), data: { kind: 'operator_made_link' } });
});

test('without a mail server a browser is notified of a finder’s message', async () => {
  const { id } = await createAccount();
  const browser = pushService.subscribe(publicKey);
  await createPushSubscription(database, { id }, browser, publicKey);
  await sendMessage(database, await createItem(database, { id }), 'I have your keys');
  await expect.poll(() => browser.arrived).toHaveLength(1);
});

test('what a receiver did not take is tried again', async () => {
  const { id, email } = await createAccount();
  await createNoticeAddress(database, { id }, { kind: 'ntfy', url: `${receiver.http}/late` });
  receiver.respondAt('/late', (response) => void response.writeHead(500).end());
  await makeLink(email);
  await expect.poll(() => receiver.arrivedAt('/late')).toHaveLength(1);
  receiver.respondAt('/late', null);
  await expect.poll(() => receiver.arrivedAt('/late')).toHaveLength(2);
});

test('"This wasn’t me" ends an operator’s link', async () => {
  const phone = aPhone();
  const { email } = await createAccount({ phone });
  const hash = await makeLink(email);
  const { text } = await server.delivery.takeSmsTo(phone);
  expect((await postForm(server, /\/not-me\/[\w%-]+/.exec(text)?.[0] ?? '', {})).status).toBe(200);
  const opened = await server.client().auth.verifyOtp({ token_hash: hash, type: 'recovery' });
  expect(opened.error?.code).toBe('otp_expired');
});

test('with a mail server, a link from the command line is announced by email, with its reason', async () => {
  const mailing = await startTestServer(await createTestDatabase());
  const secret = mailing.client({ key: mailing.secrets.secretKey });
  const email = anEmail();
  await secret.auth.admin.createUser({ email, email_confirm: true });
  await secret.rpc('make_link', { email_param: email, reason_param: 'They forgot it' }).throwOnError();
  const mail = await mailing.delivery.takeEmailTo(email);
  expect(mail.subject).toBe('Reunite: An operator of this service made a one-time link to your account');
  expect(mail.text).toContain('Reason: They forgot it');
  expect(mail.text).toMatch(/\/not-me\//);
});
