import type { PublicConfig } from './request-context.ts';

/** The meta element with the configuration for code outside of components. */
export const PUBLIC_CONFIG_META = 'public-config';

/** Returns the public configuration outside of components, such as in a loader. Only in the browser. */
export function readPublicConfig(): PublicConfig {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${PUBLIC_CONFIG_META}"]`);
  if (meta === null) throw new Error('This document carries no public configuration.');
  // The root writes this value with this type.
  return JSON.parse(meta.content) as PublicConfig;
}
