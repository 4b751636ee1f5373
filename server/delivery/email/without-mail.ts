import type { Delivery } from '#server/delivery/delivery.ts';

/** The operator has no mail server. A job whose email it was is over. */
export class NoMailServer extends Error {
  override name = 'NoMailServer';
  override message = 'This server sends no email.';
}

/** Returns the delivery with every email refused, whatever asks for one. */
export function withoutMail(delivery: Delivery): Delivery {
  return { ...delivery, sendEmail: () => Promise.reject(new NoMailServer()) };
}
