import { expect, test } from 'vitest';
import { checkResponses } from './check-server.ts';

const GOOD = { version: 150_000, account: 'reunite', passesRowSecurity: true, encoding: 'UTF8' };

test('PostgreSQL 15 and newer are accepted', () => {
  expect(() => checkResponses(GOOD)).not.toThrow();
  expect(() => checkResponses({ ...GOOD, version: 190_002 })).not.toThrow();
});

test.each([
  ['an older PostgreSQL', { version: 140_019 }, 'This is PostgreSQL 14, and 15 or newer is needed'],
  ['another encoding', { encoding: 'SQL_ASCII' }, 'stores text as SQL_ASCII, and UTF8 is needed'],
  ['an account without rights', { passesRowSecurity: false }, 'alter role "reunite" bypassrls createrole'],
])('%s is refused with one sentence', (_, difference, message) => {
  expect(() => checkResponses({ ...GOOD, ...difference })).toThrow(message);
});
