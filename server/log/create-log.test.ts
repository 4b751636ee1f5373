import { expect, test } from 'vitest';
import { createLog } from './create-log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let lines = '';
  write(
    createLog({
      level: 'debug',
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
  'a field named %s never reaches a line, however deep it was put',
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

test('a database error about data says which, and nothing of the row', () => {
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
