import { expect, test } from 'vitest';
import { countSendings } from './count-sendings.ts';

test('it settles once every message was sent or failed, and each caller gets its own result', async () => {
  const sms = Promise.withResolvers<void>();
  const mail = Promise.withResolvers<void>();
  const delivery = countSendings({ hasSms: true, sendSms: () => sms.promise, sendEmail: () => mail.promise });
  const order: string[] = [];
  const first = delivery.sendSms({ to: '+972501234567', text: 'x' }).then(() => order.push('sms'));
  const second = delivery
    .sendEmail({ to: 'a@example.com', subject: 'x', text: 'x' })
    .catch(() => order.push('mail failed'));
  const settled = delivery.settled().then(() => order.push('settled'));
  sms.resolve();
  await first;
  expect(order).toEqual(['sms']);
  mail.reject(new Error('no'));
  await Promise.all([second, settled]);
  expect(order.toSorted()).toEqual(['mail failed', 'settled', 'sms']);
  await delivery.settled();
});
