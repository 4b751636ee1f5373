import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finder } from '#domain/words/compiled/en/finder.ts';
import { callLink, emailLink, whatsAppLink } from './contact-links.ts';
import { isExternalContactMethod } from './contact-methods.ts';

describe('contact links', () => {
  it('writes an email with the specified subject', () => {
    expect(emailLink('maya@example.org', finder.contact.emailSubject('Reunite'))).toBe(
      'mailto:maya@example.org?subject=Found%20your%20item%20-%20Reunite',
    );
  });

  it('writes line breaks as RFC 6068 requires', () => {
    expect(emailLink('a@b.c', 'x', 'one\ntwo\r\nthree')).toBe('mailto:a@b.c?subject=x&body=one%0D%0Atwo%0D%0Athree');
  });

  it('lets no address add header fields', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (address, subject) => {
        const url = new URL(emailLink(`${address}@example.org`, subject));
        expect([...url.searchParams.keys()]).toEqual(['subject']);
        expect(url.searchParams.get('subject')).toBe(subject);
        expect(decodeURIComponent(url.pathname)).toBe(`${address}@example.org`);
      }),
    );
  });

  it('calls the number in E.164', () => {
    expect(callLink('+972501234567')).toBe('tel:+972501234567');
    expect(callLink('972-50 123;ext=4567')).toBe('tel:+972501234567');
  });

  it('opens WhatsApp with the digits alone and the text', () => {
    expect(whatsAppLink('+972501234567', 'Hi & bye')).toBe('https://wa.me/972501234567?text=Hi%20%26%20bye');
  });

  it('lists the contact methods', () => {
    expect(['whatsapp', 'call', 'email', 'message', ''].map(isExternalContactMethod)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
