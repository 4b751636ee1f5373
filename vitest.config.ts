import { configDefaults, defineConfig } from 'vitest/config';
import { databaseProjects, longRuns, severalServers } from './tests/support/database-projects.ts';
import { compileWords } from './tools/words/compile-words.ts';

compileWords(import.meta.dirname);

/**
 * Which files of the projects `programs` and `postgres-18` run: with `main` those of `npm test`, with `rest` the others,
 * for `npm run test:everything` (decision 49); by default all.
 */
const part = process.env.TESTS;

/** The main jobs of finders and owners, and the basics of each service, of its rights, and of its programs. */
const MAIN_DATABASE = [
  'tests/contract/auth/{account-journey,change-email,coverage,ended-sessions,passkeys,recover}.test.ts',
  'tests/contract/auth/{refresh-tokens,second-factors,sign-up,user}.test.ts',
  'tests/contract/realtime/{channels,messages,subscriptions}.test.ts',
  'tests/contract/rest/{change,coverage,embed,functions,refusals,select,upsert}.test.ts',
  'tests/contract/storage/{objects,pictures,signed-addresses}.test.ts',
  'tests/contract/{own-data,statement-plans}.test.ts',
  'tests/jobs/{message-notice,unseen-notice}.test.ts',
  'tests/migrations/{engine,functions}.test.ts',
  'tests/policies/{catalogue-lint,caller-transaction,conversation,functions,relations}.test.ts',
  'tests/web/{claimed-code,finder-contact,finder-conversation,finder-document,finder-message}.test.ts',
  'tests/web/{return-code,scan-response,second-contact,transfers,typed-code}.test.ts',
];
/** They run on the PostgreSQL that we ship alone. */
const WEB_AND_JOBS = 'tests/{web,jobs}/**/*.test.ts';
const MAIN_PROGRAMS = ['tests/house/*.test.ts', 'tests/engine/first-start.test.ts'];

/**
 * The files that only `npm run test:everything` runs, as a part of its long runs: where a service beside ours fails or
 * is killed, where limits end an abuse that takes many requests, and where many things happen at once.
 */
const RARE = [
  'tests/contract/auth/{additional-keys,after-2038,code-guesses,guesses-at-once,hidden-accounts}.test.ts',
  'tests/contract/auth/{hostile-providers,key-rotation,limiter-evasion,many-at-once,many-sessions}.test.ts',
  'tests/contract/auth/{second-factor-lock-out,unproved-address}.test.ts',
  'tests/contract/{few-connections,read-only-database,silent-connections,silent-notifications}.test.ts',
  'tests/contract/realtime/{full-relay,lost-connections,unfinished-messages}.test.ts',
  'tests/contract/rest/{counters-of-strangers,exhaustion,fair-shares,random-operations}.test.ts',
  'tests/contract/storage/{backup,durability,full-disk}.test.ts',
  'tests/crash/{account-kill,failing-sync,hanging-postgres,no-file-left,storage-kill}.test.ts',
  'tests/crash/random-notices/*.test.ts',
  'tests/engine/{checked-data,ends-by-itself,killed-server,places,programs,second-start}.test.ts',
  'tests/migrations/{cluster-races,killed-start,racing-starts}.test.ts',
  'tests/policies/{lock-orders,racing-transfers}.test.ts',
  'tests/process/{crowded-disk,killed-set-up,several-processes,stranger-memory}.test.ts',
  'tests/web/{database-too-slow,large-bodies,many-rows}.test.ts',
];

export default defineConfig({
  test: {
    // For two cores: what waits for a timer, a start or a kill leaves room for a third.
    maxWorkers: 3,
    // For a slow and busy machine: on a quiet one no test needs a sixth of it.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    // A failure's one line, at the end of thousands, says which value was not expected.
    chaiConfig: { truncateThreshold: 1_000 },
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
          include: part === 'main' ? MAIN_PROGRAMS : ['tests/{engine,crash,house,process}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...RARE, ...(part === 'rest' ? MAIN_PROGRAMS : [])],
          globalSetup: ['tests/support/prepared-data/global-setup.ts'],
          // No module keeps state, and loading them again for each file would cost as much as a start of the server.
          isolate: false,
          testTimeout: 240_000,
        },
      },
      ...databaseProjects({
        part,
        main: MAIN_DATABASE,
        embedded: ['tests/{policies,migrations,contract}/**/*.test.ts', WEB_AND_JOBS],
        embeddedOnly: WEB_AND_JOBS,
        leftOut: RARE,
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
      // Where state is spread: sessions and their end, counts of guesses, factors, sockets, files, and what a caller reads
      // after writing. Left out are files that give the server parts of their own, cut its connections, stop it, look into
      // its log, or start three and more; bounds of one process (docs/operate/limits.md), such as those of broadcasts; and
      // what is the same on one server: what the parsers of each service accept.
      severalServers('tests/cluster/contract/spread.test.ts', [
        'tests/contract/auth/{code-guesses,ended-sessions,many-sessions,refresh-tokens,second-factors}.test.ts',
        'tests/contract/realtime/{channels,messages,subscriptions}.test.ts',
        'tests/contract/rest/{change,codes-of-an-account,counters-of-strangers,functions}.test.ts',
        'tests/contract/storage/{objects,pictures,signed-addresses}.test.ts',
        'tests/contract/own-data.test.ts',
      ]),
      longRuns([
        ...RARE,
        // The others that use `repeats`, and those that look for another program.
        'domain/tag-code/typed-code.test.ts',
        'tests/{cluster,container}/*.test.ts',
        'server/{backup/places/bucket-place,storage/blobs/blob-store}.test.ts',
        'tests/contract/{backup/one-moment,bad-input,auth/{owner-and-thief,session-model,two-parties},realtime/bad-frames,rest/hostile-literals}.test.ts',
        'tests/crash/{failover,kill,pooler}.test.ts',
        'tests/process/{backup,launcher,start-and-stop,sticker-sheets}.test.ts',
        'tests/engine/namespaces.test.ts',
        'tests/policies/message-rule.test.ts',
        'tests/web/any-address.test.ts',
      ]),
    ],
  },
});
