import type { Delivery } from './delivery.ts';

/** Wraps a delivery and tracks messages in progress, because some responses are sent before their message is. */
export function countSendings(delivery: Delivery): Required<Delivery> {
  const underway = new Set<Promise<void>>();
  const count = (sending: Promise<void>): Promise<void> => {
    underway.add(sending);
    const forget = () => void underway.delete(sending);
    sending.then(forget, forget);
    return sending;
  };
  return {
    hasSms: delivery.hasSms,
    sendEmail: (email) => count(delivery.sendEmail(email)),
    sendSms: (sms) => count(delivery.sendSms(sms)),
    async settled() {
      await Promise.allSettled(underway);
    },
  };
}
