import type { Config } from '#server/config.ts';
import type { HeaderLines } from './response-headers.ts';

/**
 * Headers of every response, whether page, file, JSON, redirect or error: browsers must not sniff the type, and use
 * HTTPS for later visits where the service is public.
 */
export function defaultHeaders(config: Pick<Config, 'production' | 'publicUrl'>): HeaderLines {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ...(isPublicHttps(config) ? ([['Strict-Transport-Security', 'max-age=63072000']] as const) : []),
  ];
}

export function isPublicHttps({ production, publicUrl }: Pick<Config, 'production' | 'publicUrl'>): boolean {
  return production && publicUrl.startsWith('https:');
}
