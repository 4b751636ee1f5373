import { useRouteLoaderData } from 'react-router';
import type { PublicConfig } from './request-context.ts';

/** Where the root writes the configuration for code that runs outside of a component. */
export const PUBLIC_CONFIG_META = 'public-config';

/** The public configuration, in a component. */
export function usePublicConfig(): PublicConfig {
  const root = useRouteLoaderData<{ publicConfig: PublicConfig }>('root');
  if (root === undefined) throw new Error('The root has not loaded the public configuration.');
  return root.publicConfig;
}

/** The public configuration, in the browser and outside of a component, such as in a loader. */
export function readPublicConfig(): PublicConfig {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${PUBLIC_CONFIG_META}"]`);
  if (meta === null) throw new Error('This document carries no public configuration.');
  // Written by our own root from a value of this type.
  return JSON.parse(meta.content) as PublicConfig;
}
