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
  const plan = planMigrations([known(1), known(2), known(3)], [applied(1)]);
  expect(plan.pending.map(({ number }) => number)).toEqual([2, 3]);
  expect(plan.newer).toEqual([]);
});

test('an older program works with newer compatible migrations, which are reported', () => {
  const plan = planMigrations([known(1)], [applied(3), applied(1), applied(2)]);
  expect(plan.pending).toEqual([]);
  expect(plan.newer.map(({ number }) => number)).toEqual([2, 3]);
});

test('an older program refuses a newer breaking migration and names it', () => {
  const plan = () => planMigrations([known(1)], [applied(1), applied(2, 'breaking'), applied(3)]);
  expect(plan).toThrow(MigrationError);
  expect(plan).toThrow('This program is older than its database: 000002_step.sql');
});

test('a breaking migration that the program knows is accepted', () => {
  const breaking = { ...known(1), kind: 'breaking' as const };
  expect(planMigrations([breaking], [applied(1, 'breaking')]).pending).toEqual([]);
});

test('an edited migration is refused and named', () => {
  const plan = () => planMigrations([known(1), known(2)], [{ ...applied(1), checksum: 'another' }]);
  expect(plan).toThrow('000001_step.sql was edited after it had been applied');
});

test('a renamed migration is refused with both names', () => {
  const plan = () => planMigrations([known(1)], [{ ...applied(1), name: '000001_other.sql' }]);
  expect(plan).toThrow('as 000001_other.sql and is now called 000001_step.sql');
});

test('a migration with a lower number than an applied one is refused', () => {
  const plan = () => planMigrations([known(1), known(2), known(3)], [applied(1), applied(3)]);
  expect(plan).toThrow('000002_step.sql was never applied to this database, although 000003 was');
});
