import { defineConfig } from 'vitest/config';
import { databaseProjects, longRuns } from './tests/support/database-projects.ts';

export default defineConfig({
  test: {
    // For two cores: what waits for a timer, a start or a kill leaves room for a third.
    maxWorkers: 3,
    // For a busy machine: on a quiet one no test needs a third of it.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    // A test that fails now and then is a fault of the product or of the test. CI tries it once more and names it, until
    // ten runs in a row have been green (decision 49).
    retry: process.env.CI === undefined ? 0 : 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{domain,server,tests/support}/**/*.test.ts', 'app/**/*.test.{ts,tsx}'],
          // Starting a process for each file would take longer than its tests.
          isolate: false,
        },
      },
      {
        // Tests that start programs: the engine, the whole server, the linter.
        extends: true,
        test: {
          name: 'programs',
          include: ['tests/{engine,crash,house,process}/**/*.test.ts'],
          globalSetup: ['tests/support/prepared-data/global-setup.ts'],
          // No module keeps state, and loading them again for each file would cost as much as a start of the server.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      ...databaseProjects({
        embedded: ['tests/{policies,migrations,contract,web,jobs}/**/*.test.ts'],
        oldest: ['tests/{policies,migrations,contract,restore}/**/*.test.ts'],
        onceIsEnough: [
          'tests/contract/auth/{after-2038,key-rotation}.test.ts',
          'tests/contract/auth/{dead-codes,forged-tokens,hidden-accounts,hostile-providers,known-devices}.test.ts',
          'tests/contract/auth/{limits,one-time-codes,passwords,proof-key,recover,redirects}.test.ts',
          'tests/contract/auth/{second-factors,settings,sign-up,sign-up-settings,sms-limits,user}.test.ts',
          'tests/contract/realtime/{bad-frames,handshake,lost-connections,protocol-table}.test.ts',
          'tests/contract/rest/fair-shares.test.ts',
          'tests/contract/silent-{connections,notifications}.test.ts',
          'tests/contract/storage/{full-disk,pictures,protocol-table}.test.ts',
          'tests/migrations/killed-start.test.ts',
        ],
      }),
      // The files that use `repeats`, and those that look for another program.
      longRuns([
        'domain/tag-code/typed-code.test.ts',
        'tests/{cluster,container}/*.test.ts',
        'server/storage/blobs/blob-store.test.ts',
        'tests/contract/{bad-input,auth/{session-model,two-parties},realtime/bad-frames,rest/{hostile-literals,random-operations}}.test.ts',
        'tests/crash/{account-kill,failover,kill,pooler,standby,storage-kill}.test.ts',
        'tests/migrations/{killed-start,racing-starts}.test.ts',
        'tests/process/{launcher,several-processes,start-and-stop,sticker-sheets,stranger-memory}.test.ts',
        'tests/policies/{message-rule,racing-transfers}.test.ts',
        'tests/web/{any-address,finder-templates}.test.ts',
      ]),
    ],
  },
});
