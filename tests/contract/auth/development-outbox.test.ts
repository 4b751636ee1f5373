import { expect, test } from 'vitest';
import { createDelivery } from '#server/delivery/create-delivery.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const testDatabase = await createTestDatabase();

test('a development server keeps what it would send, once for each key, and logs nothing of it', async () => {
  const log = keepingLog();
  const database = openDatabase({ address: testDatabase.address, log });
  const delivery = createDelivery({
    config: { production: false, hasMail: true, smtp: { url: 'smtp://127.0.0.1:1', from: 'a@example.com' }, sms: null },
    now: Date.now,
    database,
    log,
  });
  expect(delivery.hasSms).toBe(true);
  await delivery.sendSms({ to: '+972501234567', text: 'canary 135790', key: 'code:1:a' });
  await delivery.sendSms({ to: '+972501234567', text: 'canary 135790', key: 'code:1:a' });
  await delivery.sendEmail({ to: 'canary@example.com', subject: 'canary subject', text: 'canary text' });
  await delivery.sendEmail({ to: 'canary@example.com', subject: 'canary subject', text: 'canary text' });

  const rows = await testDatabase.query(
    'select channel, recipient, subject, body, delivery_key from internal.development_outbox order by id',
  );
  const sms = {
    channel: 'sms',
    recipient: '+972501234567',
    subject: null,
    body: 'canary 135790',
    delivery_key: 'code:1:a',
  };
  const mail = {
    channel: 'email',
    recipient: 'canary@example.com',
    subject: 'canary subject',
    body: 'canary text',
    delivery_key: null,
  };
  expect(rows).toEqual([sms, mail, mail]);
  const logged = JSON.stringify(log.lines);
  expect(logged).toContain('/dev/outbox');
  expect(logged).not.toMatch(/canary|135790|972501234567/);
  await database.close();
});

test('a production server without a sender is an error, not silence', () => {
  const log = keepingLog();
  const database = openDatabase({ address: testDatabase.address, log });
  expect(() =>
    createDelivery({
      config: { production: true, hasMail: true, smtp: null, sms: null },
      database,
      log,
      now: Date.now,
    }),
  ).toThrow('SMTP_URL is missing');
  const smtp = { url: 'smtp://127.0.0.1:1', from: 'a@example.com' };
  expect(
    createDelivery({ config: { production: true, hasMail: true, smtp, sms: null }, database, log, now: Date.now })
      .hasSms,
  ).toBe(false);
});
