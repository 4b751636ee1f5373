/** Returns a `mailto:` link with a subject and optionally a body. */
export function emailLink(address: string, subject: string, body = ''): string {
  // RFC 6068: spaces as %20, line breaks as %0D%0A, and a readable `@` in the address.
  const fields = [`subject=${encodeURIComponent(subject)}`];
  if (body !== '') fields.push(`body=${encodeURIComponent(body.replaceAll(/\r?\n/g, '\r\n'))}`);
  return `mailto:${encodeURIComponent(address).replace('%40', '@')}?${fields.join('&')}`;
}

/** Returns a `tel:` link with the number in E.164. */
export function callLink(phone: string): string {
  return `tel:+${digitsOf(phone)}`;
}

/** Returns WhatsApp's web link with the digits of the number and a prepared message. */
export function whatsAppLink(phone: string, text: string): string {
  return `https://wa.me/${digitsOf(phone)}?text=${encodeURIComponent(text)}`;
}

function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, '');
}
