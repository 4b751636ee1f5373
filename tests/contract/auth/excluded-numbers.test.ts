import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { logExcludedNumbers } from '#server/delivery/sms/log-excluded-numbers.ts';
import { sendAccountMail } from '#server/jobs/account/send-account-mail.ts';
import { createRateLimits } from '#server/limits/postgres-rate-limits.ts';
import { dependenciesForJobs } from '#tests/jobs/dependencies-for-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { keepingLog, quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();

const SAYS = 'numbers of countries that SMS_COUNTRIES does not name';

test('a start logs how many numbers the countries exclude, without naming one', async () => {
  const before = await startTestServer(database);
  await registerOwner(before, { phone: '+972502345678' });
  await registerOwner(before, { phone: '+972522345678' });
  await registerOwner(before, { phone: '+4915112345678' });
  const { error } = await before.client({ key: before.secrets.secretKey }).auth.admin.createUser({
    phone: '+447400123456',
  });
  expect(error, 'a number that is not proved').toBeNull();
  await before.stop();
  expect(before.logged.join('\n'), 'where every country is named').not.toContain(SAYS);

  const { secrets } = before;
  const after = await startTestServer(database, { secrets, environment: { SMS_COUNTRIES: 'US' } });
  await expect.poll(() => after.logged.filter((line) => line.includes(SAYS))).toHaveLength(1);
  const line = after.logged.find((one) => one.includes(SAYS)) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ level: 40, numbers: 3, countries: { DE: 1, IL: 2 } });
  expect(line).not.toMatch(/(50|52)2345678|5112345678/);
});

test('an account that lost its address is notified by SMS only at a proved number of a named country [K6]', async () => {
  const delivery = catchDelivery();
  const { config, ...dependencies } = dependenciesForJobs(database.address, delivery);
  const needs = { ...dependencies, config: { ...config, smsCountries: new Set(['US'] as const) } };
  const accounts = await database.query<{ id: string; phone: string }>(
    `insert into auth.users (phone, phone_confirmed_at)
       values ('972542345678', now()), ('12015550123', now()), ('12015550124', null) returning id, phone`,
  );
  for (const { id } of accounts) {
    await sendAccountMail(needs, { id: randomUUID(), kind: 'address_lost', user_id: id });
  }
  expect(delivery.texts.map(({ to }) => to)).toEqual(['+12015550123']);

  // While the limit of such SMS is used up, the job fails and is run again later.
  const limits = createRateLimits({
    database: dependencies.database,
    log: quietLog,
    changed: new Map([['sms_a_day', { points: 1, seconds: 3_600 }]]),
  });
  const mail = { id: randomUUID(), kind: 'address_lost', user_id: accounts[1]?.id ?? '', address: null } as const;
  await expect(sendAccountMail({ ...needs, limits }, mail)).rejects.toThrow('The limit of SMS');
  expect(delivery.texts).toHaveLength(1);
  await dependencies.database.close();
});

test('many numbers are counted in batches, and a stopping server waits for at most one batch [K33]', async () => {
  await database.query(
    `insert into auth.users (phone, phone_confirmed_at, deleted_at)
       select '4915' || (1000000 + n), case when n % 2 = 0 then now() end, case when n % 10 = 0 then now() end
         from generate_series(1, 12000) as n`,
  );
  // More factors with one number than are read at once.
  await database.query(
    `insert into auth.mfa_factors (user_id, factor_type, phone, status)
       select id, 'phone', '4915112345678', 'verified' from auth.users where phone like '49151%' limit 6000`,
  );
  const server = await startTestServer(database, { environment: { SMS_COUNTRIES: 'US,IL' } });
  await expect.poll(() => server.logged.filter((line) => line.includes(SAYS))).toHaveLength(1);
  const line = server.logged.find((one) => one.includes(SAYS)) ?? '{}';
  const [{ numbers } = { numbers: 0 }] = await database.query<{ numbers: number }>(
    `select (select count(*) from auth.users where phone like '49%' and phone_confirmed_at is not null and deleted_at is null)::int
         + 6000 as numbers`,
  );
  expect(JSON.parse(line)).toMatchObject({ numbers, countries: { DE: numbers } });

  const { database: opened, ...dependencies } = dependenciesForJobs(database.address, catchDelivery());
  const stopping = new AbortController();
  const log = keepingLog();
  let statements = 0;
  await logExcludedNumbers({
    ...dependencies,
    config: { smsCountries: new Set(['US']) },
    database: {
      ...opened,
      asService(statement) {
        statements += 1;
        stopping.abort();
        return opened.asService(statement);
      },
    },
    log,
    signal: stopping.signal,
  });
  await opened.close();
  expect(statements).toBe(1);
  expect(log.lines, 'the count is not complete').toEqual([]);
});
