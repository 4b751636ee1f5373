import type { Rolldown } from 'vite';

type Groups = NonNullable<Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups']>;

/**
 * Divides the screens' code into files. By default the bundler creates one for each set of screens that share a module:
 * dozens of a few hundred bytes, each of which costs a round trip on a slow connection.
 */
export const chunkGroups: Groups = [
  // The framework of every screen.
  { name: 'framework', test: /\/node_modules\/(?:react|react-dom|react-router|scheduler|cookie)\//, priority: 3 },
  // The supabase client, which a signed-in screen needs before anything else.
  {
    name: 'client',
    test: /\/node_modules\/@supabase\/(?:auth|postgrest)-js\/|\/app\/client\/app-client\.ts$/,
    priority: 3,
  },
  // Widgets with behavior, grouped by the screens that use them.
  {
    name: 'widgets',
    test: /\/node_modules\/(?:@base-ui|@floating-ui)\/|\/app\/ui\/dialog\//,
    entriesAware: true,
    priority: 2,
  },
  // Our own modules that several screens share.
  {
    name: 'shared',
    test: /\/(?:app|domain)\/|\/node_modules\/(?:lucide-react|valibot)\//,
    minShareCount: 3,
    priority: 1,
  },
];
