import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError } from './migration-error.ts';
import { checksumOf, type SqlFile, unlessMissing, withPlainLineEnds } from './sql-file.ts';

/**
 * The number of the last migration that `tables/` and `functions/` took in. A database from before it is not updated by
 * this program.
 */
export const BASELINE = 94;

/** Whether a program that does not know the migration can still work with the migrated database. */
export type MigrationKind = 'compatible' | 'breaking';

export interface Migration extends SqlFile {
  readonly number: number;
  readonly kind: MigrationKind;
  readonly checksum: string;
}

/**
 * Reads every `000095_name.sql` of a folder, in order. The first number is the one after the baseline. A missing folder
 * has none.
 *
 * @throws MigrationError for a malformed name, a missing or duplicate number, and a header other than `-- kind:
 * compatible` or `-- kind: breaking`, followed by one sentence about what the file does.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory).catch(unlessMissing<string[]>([])))
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    const migration = parseMigration(name, await readFile(join(directory, name), 'utf8'));
    const expected = BASELINE + migrations.length + 1;
    if (migration.number !== expected) {
      throw new MigrationError(
        `The migration ${name} should have the number ${numbered(expected)}: each is one more than the one before it.`,
      );
    }
    migrations.push(migration);
  }
  return migrations;
}

/** @throws MigrationError for a malformed name or header. */
export function parseMigration(name: string, text: string): Migration {
  const number = /^(\d{6})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
  if (number === undefined) {
    throw new MigrationError(`The migration ${name} should be named like 000095_what_it_does.sql.`);
  }
  const sql = withPlainLineEnds(text);
  const [first = '', second = ''] = sql.split('\n', 2);
  const kind = /^-- kind: (\w+)$/.exec(first)?.[1];
  if (kind !== 'compatible' && kind !== 'breaking') {
    throw new MigrationError(`The first line of ${name} must be "-- kind: compatible" or "-- kind: breaking".`);
  }
  if (!/^-- \S/.test(second)) {
    throw new MigrationError(`The second line of ${name} must be a comment that says in a sentence what it does.`);
  }
  return { number: Number(number), name, kind, sql, checksum: checksumOf(sql) };
}

/** Formats a number as in file names. */
export function numbered(number: number): string {
  return String(number).padStart(6, '0');
}
