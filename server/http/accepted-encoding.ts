export type Encoding = 'br' | 'gzip' | 'identity';

const BROTLI = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

const ALL = { br: true, gzip: true };

/** Returns the smallest available encoding that the client accepts (Accept-Encoding, RFC 9110, section 12.5.3). */
export function acceptedEncoding(
  header: string | undefined,
  available: { br: boolean; gzip: boolean } = ALL,
): Encoding {
  if (header === undefined) return 'identity';
  if (available.br && BROTLI.test(header)) return 'br';
  return available.gzip && GZIP.test(header) ? 'gzip' : 'identity';
}
