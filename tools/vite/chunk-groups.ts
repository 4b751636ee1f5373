import type { Rolldown } from 'vite';

type Groups = NonNullable<Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups']>;

/**
 * How the code of the screens is put into files. Left alone, the bundler makes one for each set of screens that share
 * a module: dozens of a few hundred bytes, each of which costs a slow connection a round trip.
 */
export const chunkGroups: Groups = [
  // What every screen runs on.
  { name: 'framework', test: /\/node_modules\/(?:react|react-dom|react-router|scheduler|cookie)\//, priority: 3 },
  // Accounts and data, which a signed-in screen asks before anything else.
  {
    name: 'client',
    test: /\/node_modules\/@supabase\/(?:auth|postgrest)-js\/|\/app\/lib\/compose-client\.ts$/,
    priority: 3,
  },
  // Widgets with a behavior of their own come in files by the screens that use them.
  { name: 'widgets', test: /\/node_modules\/(?:@base-ui|@floating-ui)\//, entriesAware: true, priority: 2 },
  // What several screens share of our own.
  {
    name: 'shared',
    test: /\/(?:app|domain)\/|\/node_modules\/(?:lucide-react|valibot)\//,
    minShareCount: 3,
    priority: 1,
  },
];
