import { expect, test } from 'vitest';
import { MigrationError } from './migration-error.ts';
import { type AppliedMigration, planMigrations } from './plan-migrations.ts';
import { type Migration, type MigrationKind, numbered } from './read-migrations.ts';

function known(number: number): Migration {
  return { ...applied(number), sql: '' };
}

function applied(number: number, kind: MigrationKind = 'compatible'): AppliedMigration {
  return { number, name: `${numbered(number)}_step.sql`, checksum: `checksum ${number}`, kind };
}

test('unapplied migrations are pending, in order', () => {
  const plan = planMigrations([known(95), known(96), known(97)], [applied(94), applied(95)]);
  expect(plan.pending.map(({ number }) => number)).toEqual([96, 97]);
  expect(plan.newer).toEqual([]);
});

test('an older program works with newer compatible migrations, which are reported', () => {
  const plan = planMigrations([known(95)], [applied(97), applied(94), applied(95), applied(96)]);
  expect(plan.pending).toEqual([]);
  expect(plan.newer.map(({ number }) => number)).toEqual([96, 97]);
});

test('an older program refuses a newer breaking migration and names it [J61]', () => {
  const plan = () => planMigrations([known(95)], [applied(95), applied(96, 'breaking'), applied(97)]);
  expect(plan).toThrow(MigrationError);
  expect(plan).toThrow('This program is older than its database: 000096_step.sql');
});

test('a breaking migration that the program knows is accepted', () => {
  const breaking = { ...known(95), kind: 'breaking' as const };
  expect(planMigrations([breaking], [applied(95, 'breaking')]).pending).toEqual([]);
});

test('an edited migration is refused and named', () => {
  const plan = () => planMigrations([known(95), known(96)], [{ ...applied(95), checksum: 'another' }]);
  expect(plan).toThrow('000095_step.sql was edited after it had been applied');
});

test('a renamed migration is refused with both names', () => {
  const plan = () => planMigrations([known(95)], [{ ...applied(95), name: '000095_other.sql' }]);
  expect(plan).toThrow('as 000095_other.sql and is now called 000095_step.sql');
});

test('a migration with a lower number than an applied one is refused', () => {
  const plan = () => planMigrations([known(95), known(96), known(97)], [applied(95), applied(97)]);
  expect(plan).toThrow('000096_step.sql was never applied to this database, although 000097 was');
});

test('a database from before the baseline is refused with both numbers', () => {
  expect(() => planMigrations([], [applied(1), applied(93)])).toThrow(
    'This database ends at migration 000093, and this program updates databases from 000094 on.',
  );
});
