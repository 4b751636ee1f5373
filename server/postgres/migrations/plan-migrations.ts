import { MigrationError } from './migration-error.ts';
import { BASELINE, type Migration, type MigrationKind, numbered } from './read-migrations.ts';

/** A row of `internal.migrations`. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly kind: MigrationKind;
}

export interface MigrationPlan {
  /** To be applied, in order. */
  readonly pending: readonly Migration[];
  /** Applied by a newer program, and compatible with this one. */
  readonly newer: readonly AppliedMigration[];
}

/**
 * Compares the program's migrations with those applied to a database that is not empty.
 *
 * @throws MigrationError where the database is older than the baseline, where an applied file was edited or renamed since, where one was skipped, and where a newer
 * program made a breaking change unknown to this one.
 */
export function planMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): MigrationPlan {
  const history = new Map(applied.map((row) => [row.number, row]));
  const latestKnown = known.at(-1)?.number ?? BASELINE;
  const latestApplied = Math.max(0, ...history.keys());
  if (latestApplied < BASELINE) {
    throw new MigrationError(
      `This database ends at migration ${numbered(latestApplied)}, and this program updates databases from ` +
        `${numbered(BASELINE)} on. Start the last program that has the migrations between them first.`,
    );
  }

  const newer = applied.filter((row) => row.number > latestKnown).sort((a, b) => a.number - b.number);
  const breaking = newer.find((row) => row.kind === 'breaking');
  if (breaking !== undefined) {
    throw new MigrationError(
      `This program is older than its database: ${breaking.name}, which it does not know, changed the database in a ` +
        'way that older programs cannot work with. Start the newer program, or restore a backup from before its update.',
    );
  }

  for (const migration of known) {
    const row = history.get(migration.number);
    if (row === undefined && migration.number < latestApplied) {
      throw new MigrationError(
        `${migration.name} was never applied to this database, although ${numbered(latestApplied)} was. ` +
          'Migrations only ever follow the newest one: give it the next free number.',
      );
    }
    if (row !== undefined && row.name !== migration.name) {
      throw new MigrationError(
        `Migration ${numbered(migration.number)} was applied to this database as ${row.name} and is now called ` +
          `${migration.name}. Applied migrations are never renamed: restore the name, and write a new migration instead.`,
      );
    }
    if (row !== undefined && row.checksum !== migration.checksum) {
      throw new MigrationError(
        `${migration.name} was edited after it had been applied to this database. Applied migrations are never ` +
          'edited: restore its text, and write a new migration instead.',
      );
    }
  }
  return { pending: known.filter((migration) => !history.has(migration.number)), newer };
}
