import { useLocation, useMatches } from 'react-router';
import * as v from 'valibot';
import { SCAN_QUERY } from '#domain/scan-address.ts';

/** What a route exports as `handle` whose page is sent as a document of its own. */
export interface PlainDocument {
  /** All styles of the page. */
  readonly styles: string;
  /** Its one script, in place of the app's. */
  readonly script: string;
}

const schema = v.object({ plainDocument: v.object({ styles: v.string(), script: v.string() }) });

/**
 * The styles and the script of a page that is sent without the app: a visitor can use it before the app could be there.
 * Null for every other page, in the browser, where the app is at work by then, and in development, whose styles come by
 * script.
 */
export function usePlainDocument(): PlainDocument | null {
  const handle = useMatches().at(-1)?.handle;
  const { search } = useLocation();
  if (!import.meta.env.SSR || import.meta.env.DEV || new URLSearchParams(search).has(SCAN_QUERY)) return null;
  const parsed = v.safeParse(schema, handle);
  return parsed.success ? parsed.output.plainDocument : null;
}
