import { useMatches } from 'react-router';
import * as v from 'valibot';

/** The `handle` of a route whose page is sent as a document without the app. */
export interface PlainDocument {
  /** All styles of the page. */
  readonly styles: string;
  /** The page's only script, in place of the app's. */
  readonly script: string;
}

const schema = v.object({ plainDocument: v.object({ styles: v.string(), script: v.string() }) });

/**
 * Returns the styles and script of a page that is sent without the app, so that a visitor can use it before the app
 * would have loaded. Null for all other pages, in the browser, where the app is running, and in development, whose
 * styles are inserted by script.
 */
export function usePlainDocument(): PlainDocument | null {
  const handle = useMatches().at(-1)?.handle;
  if (!import.meta.env.SSR || import.meta.env.DEV) return null;
  const parsed = v.safeParse(schema, handle);
  return parsed.success ? parsed.output.plainDocument : null;
}
