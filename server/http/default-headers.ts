import type { Config } from '#server/config.ts';
import type { HeaderLines } from './answer-headers.ts';

/**
 * What every answer of every service says, pages, files, JSON, redirects and refusals alike: a browser takes it for what
 * its type says and for nothing else, and where the service is public, comes by https the next time.
 */
export function everyAnswer(config: Pick<Config, 'production' | 'publicUrl'>): HeaderLines {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ...(isPublicHttps(config) ? ([['Strict-Transport-Security', 'max-age=63072000']] as const) : []),
  ];
}

export function isPublicHttps({ production, publicUrl }: Pick<Config, 'production' | 'publicUrl'>): boolean {
  return production && publicUrl.startsWith('https:');
}
