/** The ways to reach an owner outside this service. */
const CONTACT_CHANNELS = ['whatsapp', 'call', 'email'] as const;

export type ContactChannel = (typeof CONTACT_CHANNELS)[number];

export function isContactChannel(text: string): text is ContactChannel {
  return (CONTACT_CHANNELS as readonly string[]).includes(text);
}

/** `mailto:` with the subject and, where given, a text to begin with. */
export function emailLink(address: string, subject: string, body = ''): string {
  // RFC 6068: spaces as %20, line breaks as %0D%0A, and `@` readable in the address.
  const fields = [`subject=${encodeURIComponent(subject)}`];
  if (body !== '') fields.push(`body=${encodeURIComponent(body.replaceAll(/\r?\n/g, '\r\n'))}`);
  return `mailto:${encodeURIComponent(address).replace('%40', '@')}?${fields.join('&')}`;
}

/** `tel:` with the number in E.164. */
export function callLink(phone: string): string {
  return `tel:+${digitsOf(phone)}`;
}

/** WhatsApp's web link: the digits of the phone and a prefilled message. */
export function whatsAppLink(phone: string, text: string): string {
  return `https://wa.me/${digitsOf(phone)}?text=${encodeURIComponent(text)}`;
}

function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, '');
}
