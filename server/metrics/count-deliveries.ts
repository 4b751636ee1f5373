import type { Delivery } from '#server/delivery/delivery.ts';
import type { Metrics } from './metrics.ts';

/** Wraps a delivery and counts its messages by way and outcome. */
export function countDeliveries(delivery: Delivery, metrics: Pick<Metrics, 'counter'>): Delivery {
  const count = metrics.counter(
    {
      name: 'reunite_deliveries_total',
      help: 'Messages handed to the mail server or the SMS provider, by way and outcome.',
      labels: ['way', 'outcome'],
    },
    everyOutcome(delivery.hasSms ? ['email', 'sms'] : ['email'], ['accepted', 'failed']),
  );
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

type NoticeWay = 'push' | 'webhook' | 'ntfy';

/** Counts an attempt to notify an owner once it has ended. Returns and throws what the attempt does. */
export type CountNotice = <Result extends { readonly kind: 'accepted' | 'ended' | 'failed' }>(
  way: NoticeWay,
  attempt: Promise<Result>,
) => Promise<Result>;

/** Registers the count of notices that go to addresses of owners. */
export function countNotices(metrics: Pick<Metrics, 'counter'>): CountNotice {
  const count = metrics.counter(
    {
      name: 'reunite_pushes_total',
      help: 'Notices handed to push services, webhooks, and topics of ntfy, by way and outcome.',
      labels: ['way', 'outcome'],
    },
    everyOutcome(['push', 'webhook', 'ntfy'], ['accepted', 'ended', 'failed']),
  );
  return async (way, attempt) => {
    try {
      const result = await attempt;
      count({ way, outcome: result.kind });
      return result;
    } catch (error) {
      count({ way, outcome: 'failed' });
      throw error;
    }
  };
}

function everyOutcome(by: readonly string[], outcomes: readonly string[]) {
  return by.flatMap((way) => outcomes.map((outcome) => ({ way, outcome })));
}
