import { expect, test } from 'vitest';
import { asPostgresError, httpStatusOfSqlState } from './sqlstate.ts';

test.each([
  ['08006', 503],
  ['0LP01', 403],
  ['21000', 500],
  ['22P02', 400],
  ['23502', 400],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['25P02', 500],
  ['28000', 403],
  ['40001', 500],
  ['42501', 403],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['42703', 400],
  ['53300', 503],
  ['53400', 500],
  ['54001', 400],
  ['54000', 400],
  ['57014', 500],
  ['57P01', 503],
  ['57P03', 503],
  ['P0001', 400],
  ['P0002', 500],
  ['PT404', 404],
  ['PT418', 418],
  ['PT099', 400],
  ['XX000', 500],
])('%s maps to %i', (code, status) => {
  expect(httpStatusOfSqlState(code)).toBe(status);
});

test.each([
  ['21000', 'UPDATE requires a WHERE clause', 400],
  ['21000', 'more than one row returned by a subquery used as an expression', 500],
  ['22023', 'role "nobody" does not exist', 401],
  ['22023', 'invalid value for parameter "TimeZone"', 400],
])('%s with the message “%s” maps to %i', (code, message, status) => {
  expect(httpStatusOfSqlState(code, message)).toBe(status);
});

test('errors of PostgreSQL are distinguished from those of the driver and the system', () => {
  const sent = Object.assign(new Error('said so'), {
    severity: 'ERROR',
    code: 'P0001',
    routine: 'exec_stmt_raise',
    detail: 'more',
  });
  expect(asPostgresError(sent)).toEqual({
    code: 'P0001',
    message: 'said so',
    detail: 'more',
    hint: null,
    schemaName: null,
    table: null,
    column: null,
    constraint: null,
    raised: true,
  });
  expect(asPostgresError(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBeNull();
  expect(asPostgresError(new Error('Connection terminated'))).toBeNull();
});
