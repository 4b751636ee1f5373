import { expect, test } from 'vitest';
import { english } from './language.ts';
import { linkInText } from './link-in-text.ts';
import { composeMail } from './texts/letters/compose-mail.ts';

test.each(['/tgt-abc_', '/tgt-abc-', '/?code=tgt-abc_', '/contact/abc--', '/tgt-abc', '/auth?mode=login'])(
  'a link to %s ends in a letter and leads to the same place',
  (path) => {
    const link = linkInText(`https://lost.example.org${path}`);
    expect(link).toMatch(/[A-Za-z0-9]$/);
    expect(decodeURIComponent(link)).toBe(`https://lost.example.org${path}`);
  },
);

test('no link in the text of an email ends in a mark that mail programs leave out [K70]', () => {
  const url = 'https://lost.example.org/item/tgt-an-older-sticker-_';
  const parts = [
    { kind: 'action', label: 'Read', url },
    { kind: 'link', label: 'Stop', url },
  ] as const;
  const { text } = composeMail({ subject: 'Found', heading: 'Found', parts }, 'Reunite', english);
  expect(text.match(/https:\S+/g)).toEqual([url.replace(/_$/, '%5F'), url.replace(/_$/, '%5F')]);
});
