import { expect, test } from 'vitest';
import { createLog } from './create-log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void, now = () => 0): string {
  let lines = '';
  write(
    createLog({
      level: 'debug',
      now,
      destination: {
        write(line) {
          lines += line;
        },
      },
    }),
  );
  return lines;
}

test.each(['authorization', 'password', 'access_token', 'refresh_token', 'code', 'email', 'phone', 'body', 'qr_id'])(
  'a field named %s is never logged, however deeply it is nested',
  (field) => {
    const lines = logged((log) => {
      log.info({ [field]: 'canary' }, 'top');
      log.info({ user: { [field]: 'canary' } }, 'one deeper');
      log.info({ request: { user: { [field]: 'canary' } } }, 'two deeper');
    });
    expect(lines.split('\n')).toHaveLength(4);
    expect(lines).not.toContain('canary');
  },
);

test('a database error is logged with its code, without the content of the row', () => {
  const error = Object.assign(new Error('duplicate key value violates "users_email": canary'), {
    code: '23505',
    detail: 'Key (email)=(canary@example.com) already exists.',
    where: 'canary',
  });
  const lines = logged((log) => log.error({ err: new Error('Signing up failed.', { cause: error }) }, 'failed'));
  expect(lines).toContain('23505');
  expect(lines).toContain('Signing up failed.');
  expect(lines).not.toContain('canary');
});

test('a database error names the table, the column, and the functions, and none of their values [K97]', () => {
  const error = Object.assign(new Error('null value in column "email": canary'), {
    code: '23502',
    severity: 'ERROR',
    schema: 'shop',
    table: 'members',
    column: 'email',
    constraint: 'members_pkey',
    detail: 'Failing row contains (canary).',
    where: [
      'SQL statement "insert into shop.members values (\'canary\')"',
      'PL/pgSQL function canary said "canary" line 1 at canary; canary',
      'PL/pgSQL function shop.handle_new_user() line 3 at SQL statement',
      'PL/pgSQL function "odd Name"."f"(integer,character varying[]) line 12 at PERFORM',
      'SQL statement "select canary',
    ].join('\n'),
  });
  const lines = logged((log) => log.error({ err: new Error('Signing up failed.', { cause: error }) }, 'failed'));
  expect(JSON.parse(lines).err.cause).toMatchObject({
    sqlstate: '23502',
    message: '[redacted]',
    schema: 'shop',
    table: 'members',
    column: 'email',
    constraint: 'members_pkey',
    functions: ['shop.handle_new_user() line 3', '"odd Name"."f"(integer,character varying[]) line 12'],
  });
  expect(lines).not.toContain('canary');
});

test('a host that was not reached at any of its addresses is logged with what failed at each', () => {
  const errors = [new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ETIMEDOUT 127.0.0.1:5432')];
  const lines = logged((log) => log.warn({ err: new AggregateError(errors) }, 'away'));
  expect(JSON.parse(lines).err.errors).toMatchObject(errors.map(({ message }) => ({ message })));
});

test('repeats of one message are bounded, and the next line counts those that were left out [K32]', () => {
  let now = 0;
  const lines = logged(
    (log) => {
      for (let at = 0; at < 1_000; at += 1) log.error({ err: new Error('away'), at }, 'A request failed.');
      for (let at = 0; at < 1_000; at += 1) log.child({}).warn({ at }, `Failed task ${at} (${at / 7}ms)`);
      log.warn({}, 'Something else.');
      for (let at = 0; at < 1_000; at += 1) log.info({ at }, 'answered');
      now = 2_000;
      log.error({ at: 'later' }, 'A request failed.');
    },
    () => now,
  )
    .trim()
    .split('\n')
    .map((line): { msg: string; at?: unknown; leftOut?: number } => JSON.parse(line));
  const count = (message: string) => lines.filter(({ msg }) => msg === message).length;
  expect(count('A request failed.')).toBe(51);
  expect(lines.filter(({ msg }) => msg.startsWith('Failed task'))).toHaveLength(50);
  expect(count('Something else.')).toBe(1);
  expect(count('answered'), 'one for each request').toBe(1_000);
  expect(lines.at(-1)).toMatchObject({ msg: 'A request failed.', at: 'later', leftOut: 950 });
});
