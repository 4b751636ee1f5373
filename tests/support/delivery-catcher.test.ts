import { expect, test } from 'vitest';
import { catchDelivery, codeIn } from './delivery-catcher.ts';

test('an email is taken once, oldest first, by a caller that waits for its address before or after it arrives', async () => {
  const delivery = catchDelivery();
  const early = delivery.takeEmailTo('a@example.com');
  await delivery.sendEmail({ to: 'b@example.com', subject: 'For b', text: '' });
  await delivery.sendEmail({ to: 'a@example.com', subject: 'First', text: '' });
  await delivery.sendEmail({ to: 'a@example.com', subject: 'Second', text: '' });
  expect((await early).subject).toBe('First');
  expect((await delivery.takeEmailTo('a@example.com')).subject).toBe('Second');
  expect(delivery.emails).toHaveLength(3);
});

test('a delivery with the same key arrives once', async () => {
  const delivery = catchDelivery();
  await delivery.sendSms({ to: '+15550100', text: 'Once', key: 'k' });
  await delivery.sendSms({ to: '+15550100', text: 'Once', key: 'k' });
  expect(delivery.texts).toHaveLength(1);
});

test('the code is six digits that stand alone', () => {
  expect(codeIn({ text: 'Call +972501234567 or type 012345.' })).toBe('012345');
  expect(codeIn({ text: 'For a123456b@example.com and owner-234567@example.com: 345678' })).toBe('345678');
  expect(() => codeIn({ text: 'Call +972501234567' })).toThrow('There is no code');
});

test('a sender that is down refuses, and one that is held sends once it is released', async () => {
  const delivery = catchDelivery();
  delivery.down = true;
  await expect(delivery.sendSms({ to: '+15550100', text: 'Your code is 111111' })).rejects.toThrow('does not answer');
  await expect(delivery.sendEmail({ to: 'a@example.com', subject: '', text: '' })).rejects.toThrow('451');
  delivery.down = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  delivery.held = promise;
  const sending = delivery.sendSms({ to: '+15550100', text: 'Your code is 222222', key: 'code:one' });
  expect(() => delivery.codeFor('+15550100')).toThrow('No code went to +15550100.');
  resolve();
  await sending;
  expect(delivery.codeFor('+15550100')).toBe('222222');
});
