import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ACCOUNT_CHANGE_KINDS } from '#domain/account/account-changes.ts';
import { english } from '#domain/language.ts';
import { composeMail, type MailContent } from '#domain/texts/letters/compose-mail.ts';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { AddressRefused, createSmtpDelivery, MailNotTaken } from './smtp-delivery.ts';

const server = await startMailServer();
const { arrived, port } = server;
afterAll(() => server.close());
beforeEach(() => {
  arrived.length = 0;
  server.refusal = undefined;
  server.recipientRefusal = undefined;
});

const delivery = createSmtpDelivery({
  url: `smtp://olive:pa%20ss@127.0.0.1:${port}`,
  from: 'Reunite <hello@lost.example.org>',
  timeoutMs: 2_000,
});

test('an email arrives unchanged, from the configured sender', async () => {
  await delivery.sendEmail({
    to: 'olive@example.com',
    subject: 'Schlüssel gefunden 🔑',
    text: 'Zeile 1\nZeile 2',
    html: '<p>Zeile</p>',
  });
  expect(arrived).toHaveLength(1);
  expect(arrived[0]?.recipients).toEqual(['olive@example.com']);
  expect(arrived[0]?.mail).toMatchObject({
    from: { name: 'Reunite', address: 'hello@lost.example.org' },
    to: [{ address: 'olive@example.com' }],
    subject: 'Schlüssel gefunden 🔑',
    text: 'Zeile 1\nZeile 2\n',
    html: '<p>Zeile</p>\n',
  });
  const headers = new Map(arrived[0]?.mail.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(headers.get('x-auto-response-suppress')).toBe('All');
});

test('no text can add a header or a recipient [D32]', async () => {
  await delivery.sendEmail({
    to: 'olive@example.com',
    subject: 'Hello\r\nBcc: mallory@example.com\r\n\r\nanother body',
    text: '.\r\nBcc: mallory@example.com\r\n.\r\nQUIT',
  });
  expect(arrived).toHaveLength(1);
  expect(arrived[0]?.recipients).toEqual(['olive@example.com']);
  expect(arrived[0]?.mail.bcc).toBeUndefined();
  expect(arrived[0]?.mail.text).toContain('Bcc: mallory@example.com');
});

test('a list in place of an address reaches no other recipient', async () => {
  await delivery
    .sendEmail({ to: 'olive@example.com, mallory@example.com', subject: 'x', text: 'x' })
    .catch(() => undefined);
  expect(arrived.flatMap(({ recipients }) => recipients)).not.toContain('mallory@example.com');
});

test('two mails with one key have one message id', async () => {
  for (const key of ['message:1', 'message:1', 'message:2']) {
    await delivery.sendEmail({ to: 'olive@example.com', subject: 'x', text: 'x', key });
  }
  const ids = arrived.map(({ mail }) => mail.messageId);
  expect(ids[0]).toMatch(/^<[0-9a-f]{40}@lost\.example\.org>$/);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
});

test('a refused email rejects with the status codes and without the address', async () => {
  server.refusal = Object.assign(new Error('<olive@example.com>: mailbox full'), { responseCode: 452 });
  const nowhere = createSmtpDelivery({ url: 'smtp://127.0.0.1:1', from: 'a@example.com', timeoutMs: 500 });
  const wrong = createSmtpDelivery({ url: `smtp://olive:wrong@127.0.0.1:${port}`, from: 'a@example.com' });
  for (const [sender, codes] of [
    [delivery, 'EMESSAGE 452'],
    [nowhere, 'ESOCKET'],
    [wrong, 'EAUTH 535'],
  ] as const) {
    const failure = await sender
      .sendEmail({ to: 'olive@example.com', subject: 'x', text: 'x' })
      .catch((error) => error);
    expect(failure).toBeInstanceOf(MailNotTaken);
    expect(failure.message).toBe(`The mail server did not accept the message (${codes}).`);
    // The log writes the stack and the cause too.
    expect(failure.cause).toBeUndefined();
    expect(failure.stack).not.toContain('olive');
  }
});

test.each([
  [550, '5.1.1 No such user', true],
  [550, 'No such user here', true],
  [553, 'Mailbox name not allowed', true],
  [550, '5.1.10 The domain takes no mail', true],
  [550, '5.2.1 The mailbox is disabled', true],
  // A policy, the sender, a full mailbox, or a moment.
  [550, '5.7.1 Your server is on a list', false],
  [550, '5.1.8 Bad address of the sender', false],
  [552, '5.2.2 Mailbox full', false],
  [554, 'Refused', false],
  [450, '4.2.0 Greylisted', false],
  [451, '4.3.0 Try again', false],
])('a recipient that is refused with %i %s is refused for good: %s', async (responseCode, text, isForGood) => {
  server.recipientRefusal = Object.assign(new Error(text), { responseCode });
  const failure = await delivery
    .sendEmail({ to: 'olive@example.com', subject: 'x', text: 'x' })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MailNotTaken);
  expect(failure instanceof AddressRefused).toBe(isForGood);
  expect(String(failure)).not.toContain('olive');
});

test('with a hanging mail server no caller waits longer than one connection and its response [I58]', async () => {
  const hanging = createServer();
  hanging.listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  onTestFinished(() => void hanging.close());
  // A TCP server listening on a port has an AddressInfo.
  const { port: at } = hanging.address() as AddressInfo;
  const sender = createSmtpDelivery({ url: `smtp://127.0.0.1:${at}`, from: 'a@example.com', timeoutMs: 300 });

  const begun = performance.now();
  const failures = await Promise.all(
    Array.from({ length: 100 }, () =>
      sender.sendEmail({ to: 'olive@example.com', subject: 'x', text: 'x' }).catch((error: unknown) => error),
    ),
  );
  expect(failures.map((failure) => failure instanceof MailNotTaken)).toEqual(Array(100).fill(true));
  // One after the other they would take half a minute.
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test('sending an SMS is refused, because there is no provider', async () => {
  expect(delivery.hasSms).toBe(false);
  await expect(delivery.sendSms({ to: '+972501234567', text: 'x' })).rejects.toThrow('no SMS provider');
});

const words = {
  product: 'Reunite',
  code: '012345',
  minutes: 10,
  link: 'https://lost.example.org/auth/callback#token_hash=abc&type=signup',
  linkHours: 1,
  newAddress: 'new@example.com',
  signInUrl: 'https://lost.example.org/auth?mode=login',
  registerUrl: 'https://lost.example.org/auth?mode=register',
  proveUrl: 'https://lost.example.org/auth/callback#token_hash=abc&type=email',
  disownUrl: 'https://lost.example.org/not-mine#token_hash=abc',
  host: 'hooks.example.com',
  profileUrl: 'https://lost.example.org/profile',
  device: 'Firefox on Linux',
  at: 'November 21, 2026 at 12:00 PM UTC',
};
const { mail: codeMail, accountMail, changeNotice, messageNotice, unprovedNotice } = letterTexts(english);
const catalogue: readonly (readonly [string, MailContent])[] = [
  ...Object.entries(codeMail).map(([name, content]) => [name, content(words)] as const),
  ...Object.entries(accountMail).map(([name, content]) => [name, content(words)] as const),
  ...ACCOUNT_CHANGE_KINDS.map(
    (change) =>
      [
        change,
        changeNotice({
          product: 'Reunite',
          change,
          about: 'somebody@example.com',
          at: words.at,
          notMeUrl: 'https://lost.example.org/not-me/abc',
        }),
      ] as const,
  ),
  [
    'messageNotice',
    messageNotice({
      productName: 'Reunite',
      itemName: '<b>Keys</b> 🔑',
      hasReply: false,
      body: 'At the desk\n.\n<script>alert(1)</script>',
      location: { latitude: 32.08, longitude: 34.78, exact: false },
      link: 'https://lost.example.org/item/tgt-abc',
    }),
  ],
  [
    'unprovedNotice',
    unprovedNotice({
      productName: 'Reunite',
      link: 'https://lost.example.org/dashboard',
      proveUrl: words.proveUrl,
      disownUrl: words.disownUrl,
      isLast: true,
    }),
  ],
];

test.each(catalogue)(
  '%s arrives in both its forms, says the same in each, and fetches nothing [D31]',
  async (_, content) => {
    const composed = composeMail(content, 'Reunite', english);
    await delivery.sendEmail({ to: 'olive@example.com', ...composed });
    const mail = arrived[0]?.mail;
    expect(mail?.subject).toBe(composed.subject);
    expect(mail?.text?.trimEnd()).toBe(composed.text.trimEnd());
    expect(mail?.html?.trimEnd()).toBe(composed.html.trimEnd());
    expect(mail?.attachments).toEqual([]);
    expect(mail?.html).not.toMatch(/<(img|link|script|iframe|object|video|form|input)\b|url\(|@import|\bsrc=/i);
    for (const part of content.parts) {
      if (part.kind === 'action' || part.kind === 'link') {
        expect(composed.text).toContain(part.url);
        expect(composed.html).toContain(`href="${part.url.replaceAll('&', '&amp;')}"`);
      }
      if (part.kind === 'text' || part.kind === 'aside') expect(composed.text).toContain(part.text);
    }
  },
);
