/**
 * Whether a cross-site page may have sent this body. A page can post forms and plain text to any origin without a
 * preflight, but not JSON (Fetch standard, CORS-safelisted request-header). Clients other than browsers send neither
 * header and need no JSON content type.
 */
export function isForeignForm(headers: Headers): boolean {
  const fromBrowser = headers.has('sec-fetch-site') || headers.has('origin');
  return fromBrowser && !/^application\/([a-z.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '');
}
