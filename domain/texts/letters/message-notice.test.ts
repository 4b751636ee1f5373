import { expect, test } from 'vitest';
import { english } from '#domain/language.ts';
import { composeMail } from './compose-mail.ts';
import { letterTexts } from './letters.ts';
import type { MessageNotice } from './message-notice.ts';

const { messageNotice, unprovedNotice } = letterTexts(english);

const notice = {
  productName: 'Reunite',
  itemName: 'Keys',
  hasReply: false,
  body: 'I have them!\nDesk 4.',
  location: null,
  link: 'https://lost.example.org/item/tgt-abc',
};

function mail(of: MessageNotice) {
  return composeMail(messageNotice(of), of.productName, english);
}

test('the notice quotes the finder and leads to the item', () => {
  const { subject, text, html } = mail(notice);
  expect(subject).toBe('Someone found your keys');
  expect(text).toContain('> I have them!\n> Desk 4.\n');
  expect(text).toContain('\nhttps://lost.example.org/item/tgt-abc\n');
  expect(html).toContain('I have them!<br>Desk 4.</blockquote>');
  expect(html).toContain('href="https://lost.example.org/item/tgt-abc"');
});

test('the notice leads to a map where the finder sent a location', () => {
  const { text } = mail({ ...notice, location: { latitude: 32.08, longitude: 34.78, exact: false } });
  expect(text).toContain('Show on a map:\nhttps://www.openstreetmap.org/?mlat=32.08&mlon=34.78#map=13/32.08/34.78\n');
  expect(mail(notice).text).not.toContain('map');
});

test.each([
  ['My Tagged Item', 'your item'],
  ['Baby Item', 'your baby item'],
  ['AirPods', 'your AirPods'],
  ['House keys', '“House keys”'],
  ['My bag', '“My bag”'],
])('an item called %s is named as %s', (itemName, named) => {
  const { subject, html } = mail({ ...notice, itemName });
  expect(subject).toBe(`Someone found ${named}`);
  expect(html).toContain(`Someone found ${named} and wrote:`);
});

test('a message in a conversation with a reply is a new message, not a find', () => {
  const { subject, text } = mail({ ...notice, hasReply: true });
  expect(subject).toBe('New message about your keys');
  expect(text).toContain('The finder wrote about your keys:');
});

test('a name in the other direction does not reorder the subject [K29]', () => {
  const { subject, text, html } = mail({ ...notice, itemName: 'ארנק 2' });
  expect(subject).toBe('Someone found “\u2068ארנק 2\u2069”');
  for (const part of [text, html]) expect(part).toContain('“\u2068ארנק 2\u2069” and wrote:');
});

test('the notice links to the page of the conversation', () => {
  const { text, html } = mail(notice);
  expect(text).toContain('\nRead and reply on Reunite:\nhttps://lost.example.org/item/tgt-abc\n');
  expect(html).toContain('>Read and reply on Reunite</a>');
});

test('what a finder writes is text in the HTML part', () => {
  const { html } = mail({ ...notice, body: `<img src=x onerror="alert('1')"> & more` });
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#x27;1&#x27;)&quot;&gt; &amp; more');
  expect(html).not.toContain('<img');
});

test('an item’s name cannot break out of the subject, nor turn its direction', () => {
  const { subject, html } = mail({ ...notice, itemName: 'Keys\r\nBcc: a@b.c\u202e<b>' });
  expect(subject).toBe('Someone found “Keys Bcc: a@b.c <b>”');
  expect(html).toContain('Keys Bcc: a@b.c &lt;b&gt;');
});

test('a line of the message never looks like one of ours', () => {
  const { text } = mail({ ...notice, body: 'a\r\nb\rc' });
  expect(text).toContain('> a\n> b\n> c\n');
});

test('an unproved address gets a request to confirm it, and the last notice says that it is the last', () => {
  const unproved = {
    productName: 'Reunite',
    link: 'https://lost.example.org/dashboard',
    proveUrl: 'https://lost.example.org/a',
    disownUrl: 'https://lost.example.org/b',
    isLast: false,
  };
  const asked = composeMail(unprovedNotice(unproved), 'Reunite', english);
  for (const form of [asked.text, asked.html]) {
    expect(form).toContain(unproved.proveUrl);
    expect(form).toContain(unproved.disownUrl);
    expect(form).toContain('we’ll email you about only 3');
  }
  const last = composeMail(unprovedNotice({ ...unproved, isLast: true }), 'Reunite', english);
  expect(last.text).toContain('This is the last of these emails');
  expect(mail(notice).text).not.toMatch(/confirm|remove my email/i);
});

test('a mail says which language it is in', () => {
  const { html } = composeMail(messageNotice(notice), 'Reunite', { tag: 'he', direction: 'rtl' });
  expect(html).toContain('<html lang="he" dir="rtl">');
});
