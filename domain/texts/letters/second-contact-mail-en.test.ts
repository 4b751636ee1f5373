import { expect, test } from 'vitest';
import { english } from '#domain/language.ts';
import { composeMail } from './compose-mail.ts';
import { secondContactMailEn } from './second-contact-mail-en.ts';
import { smsEn } from './sms-en.ts';

const product = 'Reunite';
const link = 'https://lost.example.org/c/1';

/** Everything that a second contact receives, as plain text. */
function letters(owner: string | null, itemName: string): string[] {
  const words = { product, owner, itemName, link, leaveLink: link };
  const links = [{ itemName, count: 1, link }];
  return [
    secondContactMailEn.invitation(words),
    secondContactMailEn.notice(words),
    secondContactMailEn.digest({ owner, count: 2, links, rest: 1, leaveLink: link }),
  ]
    .map((content) => composeMail(content, product, english))
    .flatMap(({ subject, text }) => [subject, text])
    .concat(
      smsEn.contactInvitation(words),
      smsEn.contactNotice(words),
      smsEn.contactDigest({ product, owner, count: 2, link }),
    );
}

test.each([
  [null, 'My Tagged Item'],
  [null, 'House keys'],
  ['https://example.net/prize', 'House keys'],
])('an owner whose name is not shown (%s) has a stand-in that fits its sentence (%s)', (owner, itemName) => {
  for (const letter of letters(owner, itemName)) {
    expect(letter).not.toMatch(/[a-z,’] Someone|Someone’s|prize|null/);
  }
});

test('an owner with a name is called by it', () => {
  const all = letters('Dana', 'House keys').join('\n');
  expect(all).toContain('Someone wrote about Dana’s item “House keys” more than an hour ago.');
  expect(all).toContain('A finder wrote to Dana');
  expect(letters('Dana', 'Keys').join()).toContain('Someone wrote about Dana’s keys more than an hour ago.');
  expect(all).not.toContain('the person who invited you');
});
