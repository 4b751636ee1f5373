import { expect, test } from 'vitest';
import { english } from '#domain/language.ts';
import { words } from '#domain/words/compiled/en/index.ts';
import { composeMail } from './compose-mail.ts';
import { visitorLetterTexts } from './letters.ts';

const { secondContact: mail, sms } = visitorLetterTexts(words);

const product = 'Reunite';
const link = 'https://lost.example.org/c/1';

/** Everything that a second contact receives, as plain text. */
function letters(owner: string | null, itemName: string): string[] {
  const words = { product, owner, itemName, link, leaveLink: link };
  const links = [{ itemName, count: 1, link }];
  return [mail.invitation(words), mail.notice(words), mail.digest({ owner, count: 2, links, rest: 1, leaveLink: link })]
    .map((content) => composeMail(content, product, english))
    .flatMap(({ subject, text }) => [subject, text])
    .concat(
      sms.contactInvitation(words),
      sms.contactNotice(words),
      sms.contactDigest({ product, owner, count: 2, link }),
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

test.each(['Keys', 'Schlüssel', 'מפתחות', '鍵'])('the name of a type (%s) is in the reader’s language', (itemName) => {
  expect(letters('Dana', itemName).join('\n')).toContain('Dana’s keys');
  expect(letters(null, itemName).join('\n')).toContain('“Keys”');
  expect(letters('Dana', itemName).join('\n')).toContain('Keys (1 message)');
});
