/**
 * Whether a page of another site may have sent this body: a page may post a form, or a body that says it is text, to any
 * address without asking first (Fetch standard, CORS); JSON it may not. Programs other than browsers send neither of the
 * headers that tell of one, and need not say that their JSON is JSON.
 */
export function isForeignForm(headers: Headers): boolean {
  const fromBrowser = headers.has('sec-fetch-site') || headers.has('origin');
  return fromBrowser && !/^application\/([a-z.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '');
}
