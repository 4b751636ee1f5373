import { expect, it, test } from 'vitest';
import { firstName, harmlessName } from './first-name.ts';

it('is the first word', () => {
  expect(firstName(' Maya  Cohen ')).toBe('Maya');
  for (const blank of '\u00a0\u2003\u3000\u115f\u1160\u3164\uffa0\u2800') {
    expect(firstName(`Maya${blank}Cohen`)).toBe('Maya');
  }
  expect(firstName('דנה כהן')).toBe('דנה');
  expect(firstName('J.R. Smith')).toBe('J.R.');
  expect(firstName('Agent 007')).toBe('Agent');
  expect(firstName('X Æ A-12')).toBe('X');
});

it('is null where there is no name', () => {
  for (const name of ['', '  ', '\u200b\u2060', null, undefined]) expect(firstName(name)).toBeNull();
});

test.each([
  'maya.cohen@example.org',
  'maya＠example.org',
  '<maya@example.org>',
  '+972501234567',
  '+972 50 123 4567',
  '(050) 123-4567',
  '050\u20101234567',
  '٠٥٠١٢٣٤٥٦٧',
  '０５０１２３４５６７',
  '૦૫૦૧૨૩૪૫૬૭',
  '၀၅၀၁၂၃၄၅၆၇',
  '០៥០១២៣៤៥៦៧',
  '\u{1e950}\u{1e955}\u{1e950}\u{1e951}\u{1e952}\u{1e953}',
  'tel:0501',
  'call0501234567',
  'https://example.net/prize',
  'www.example.net',
])('%j is an address, a number, or a link, and no name [K73]', (name) => {
  expect(firstName(name)).toBeNull();
  expect(firstName(`${name} Maya`)).toBe('Maya');
});

it('is shown to people who may not know the owner where it is a name alone [K74]', () => {
  for (const name of ['Maya', 'Ana-Lucía', 'O’Neil', 'דנה']) expect(harmlessName(name)).toBe(name);
  for (const name of ['example.net', 'WIN!', 'Item Owner', 'a'.repeat(31), null]) expect(harmlessName(name)).toBeNull();
});
