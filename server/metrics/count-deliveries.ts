import type { Delivery } from '#server/delivery/delivery.ts';
import type { Metrics } from './metrics.ts';

/** Wraps a delivery and counts its messages by way and outcome. */
export function countDeliveries(delivery: Delivery, metrics: Metrics): Delivery {
  const count = metrics.counter({
    name: 'reunite_deliveries_total',
    help: 'Messages handed to the mail server or the SMS provider, by way and outcome.',
    labels: ['way', 'outcome'],
  });
  const counted = async (way: 'email' | 'sms', sending: Promise<void>): Promise<void> => {
    try {
      await sending;
    } catch (error) {
      count({ way, outcome: 'failed' });
      throw error;
    }
    count({ way, outcome: 'accepted' });
  };
  return {
    ...delivery,
    sendEmail: (email) => counted('email', delivery.sendEmail(email)),
    sendSms: (sms) => counted('sms', delivery.sendSms(sms)),
  };
}
