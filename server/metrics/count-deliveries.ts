import type { Delivery } from '#server/delivery/delivery.ts';
import type { WebPush } from '#server/push/web-push.ts';
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

/** Wraps a sender of pushes and counts them by outcome. */
export function countPushes(push: WebPush, metrics: Metrics): WebPush {
  const count = metrics.counter({
    name: 'reunite_pushes_total',
    help: 'Pushes handed to push services, by outcome.',
    labels: ['outcome'],
  });
  return {
    ...push,
    async send(target, message) {
      try {
        const result = await push.send(target, message);
        count({ outcome: result.kind });
        return result;
      } catch (error) {
        count({ outcome: 'failed' });
        throw error;
      }
    },
  };
}
