import { fileURLToPath } from 'node:url';
import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config';

export interface DatabaseSuites {
  /** Files that need a database, run on the PostgreSQL that we ship. */
  readonly embedded: string[];
  /** Those of them that also run on PostgreSQL 15, the oldest that we promise. */
  readonly oldest: string[];
  /**
   * Of these the files that say no statement to the database, and call no function in it, that the others do not: they
   * try sockets, files, processes, or many cases of the same statements. What a run says is in the server's log where
   * `log_statement` is `all`.
   */
  readonly onceIsEnough: string[];
}

/**
 * Each file has a database and a server of its own, and no module keeps anything: loading all of them anew for every
 * file would be a third of the run.
 */
const SHARED_MODULES = { isolate: false };

/**
 * The vitest projects whose files may call `createTestDatabase`: `postgres-18` and `postgres-15`. Each starts one
 * server for the whole run, and only when at least one of its files runs.
 *
 * PostgreSQL 15 is where `POSTGRES_15_BIN` says. Without that only one file of its project runs, which says so.
 */
export function databaseProjects({ embedded, oldest, onceIsEnough }: DatabaseSuites): TestProjectInlineConfiguration[] {
  return [
    {
      extends: true,
      test: {
        name: 'postgres-18',
        include: embedded,
        globalSetup: [here('clusters/global-setup-embedded.ts')],
        ...SHARED_MODULES,
      },
    },
    process.env.POSTGRES_15_BIN
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

/** The vitest project `long-runs`: files of other projects again, in which `repeats` answers with the longer run. */
export function longRuns(include: string[]): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name: 'long-runs',
      include,
      env: { LONG_RUNS: 'true' },
      globalSetup: [here('clusters/global-setup-embedded.ts')],
      testTimeout: 900_000,
      hookTimeout: 120_000,
    },
  };
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
