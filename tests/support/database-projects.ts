import { fileURLToPath } from 'node:url';
import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config';

export interface DatabaseSuites {
  /** With `main` only the files of `main` run on the PostgreSQL that we ship; with `rest` those that run nowhere else. */
  readonly part?: string | undefined;
  readonly main: string[];
  /** Files that need a database, run on the PostgreSQL that we ship. */
  readonly embedded: string[];
  /** Those of them that never run on PostgreSQL 15. */
  readonly embeddedOnly: string;
  /** The files among these that are left to another project. */
  readonly leftOut: string[];
  /** Those of them that also run on PostgreSQL 15, the oldest that we promise. */
  readonly oldest: string[];
  /**
   * The files among these whose SQL statements and database functions are also covered by the others: they test
   * sockets, files, processes, or many cases of the same statements. The server's log lists a run's statements where
   * `log_statement` is `all`.
   */
  readonly onceIsEnough: string[];
}

/**
 * Each file has its own database and server, and no module keeps state. Loading all modules again for each file would
 * take a third of the run.
 */
const SHARED_MODULES = { isolate: false };

/**
 * The vitest projects whose files may call `createTestDatabase`: `postgres-18` and `postgres-15`. Each starts one
 * server per run, and only when at least one of its files runs.
 *
 * PostgreSQL 15 is taken from `POSTGRES_15_BIN`. Without it, only one file of its project runs, which says so.
 */
export function databaseProjects({
  part,
  main,
  embedded,
  embeddedOnly,
  leftOut,
  oldest,
  onceIsEnough,
}: DatabaseSuites): TestProjectInlineConfiguration[] {
  const isRest = part === 'rest';
  const hasOldest = Boolean(process.env.POSTGRES_15_BIN);
  return [
    {
      extends: true,
      test: {
        name: 'postgres-18',
        include: part === 'main' ? main : isRest && hasOldest ? [embeddedOnly, ...onceIsEnough] : embedded,
        exclude: [...configDefaults.exclude, ...leftOut, ...(isRest ? main : [])],
        globalSetup: [here('clusters/global-setup-embedded.ts')],
        ...SHARED_MODULES,
      },
    },
    hasOldest
      ? {
          extends: true,
          test: {
            name: 'postgres-15',
            include: oldest,
            exclude: [...configDefaults.exclude, ...onceIsEnough],
            globalSetup: [here('clusters/global-setup-debian-15.ts')],
            ...SHARED_MODULES,
          },
        }
      : { extends: true, test: { name: 'postgres-15', include: ['tests/migrations/engine.test.ts'] } },
  ];
}

/**
 * The vitest project `several-servers`: files whose `startTestServer` starts three servers of two processes each behind
 * HAProxy, on PostgreSQL 15 behind PgBouncer. Without these programs, only `proof` runs, which says so.
 */
export function severalServers(proof: string, include: string[]): TestProjectInlineConfiguration {
  const { POSTGRES_15_BIN, PGBOUNCER, HAPROXY } = process.env;
  const isComplete = [POSTGRES_15_BIN, PGBOUNCER, HAPROXY].every(Boolean);
  return {
    extends: true,
    test: {
      name: 'several-servers',
      include: isComplete ? [proof, ...include] : [proof],
      ...(isComplete && { globalSetup: [here('clusters/global-setup-several-servers.ts')] }),
      ...SHARED_MODULES,
      // Seven or more processes for each file.
      testTimeout: 240_000,
    },
  };
}

/** The vitest project `long-runs`: files of other projects again, with the larger counts of `repeats`. */
export function longRuns(include: string[]): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name: 'long-runs',
      include,
      env: { LONG_RUNS: 'true' },
      globalSetup: [here('clusters/global-setup-embedded.ts'), here('prepared-data/global-setup.ts')],
      testTimeout: 900_000,
    },
  };
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
