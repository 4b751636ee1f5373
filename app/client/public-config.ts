import { useRouteLoaderData } from 'react-router';
import type { PublicConfig } from './request-context.ts';

/** Returns the public configuration, in a component. */
export function usePublicConfig(): PublicConfig {
  const root = useRouteLoaderData<{ publicConfig: PublicConfig }>('root');
  if (root === undefined) throw new Error('The root has not loaded the public configuration.');
  return root.publicConfig;
}
