import { createContext, use } from 'react';
import { preload, preloadModule } from 'react-dom';
import type { EntryContext } from 'react-router';
import type { DocumentWords } from '#app/client/request-context.ts';

/** What scripts import words from (`tools/vite/words.ts`). */
const SCOPE = 'words/';

/** Leads the scripts of a document to the words of its language. */
export function importMapOf({ folder }: DocumentWords): { imports: Record<string, string> } {
  return { imports: { [SCOPE]: folder } };
}

/** Returns the URLs of the words that the screens of a document have. */
export function filesOf(
  { folder, imported }: DocumentWords,
  { manifest, staticHandlerContext }: EntryContext,
): readonly string[] {
  const routes = staticHandlerContext.matches.map(({ route }) => manifest.routes[route.id]);
  const scripts = [manifest.entry, ...routes].flatMap((entry) =>
    entry === undefined ? [] : [entry.module, ...(entry.imports ?? [])],
  );
  const names = scripts.flatMap((script) => imported[script.replace(/^\//, '')] ?? []);
  return [...new Set(names)].map((name) => folder + name.slice(SCOPE.length));
}

/** The URLs of the words of the document, on the server alone. */
export const WordsFiles = createContext<readonly string[]>([]);

/**
 * Has the browser fetch the words of the document together with its scripts, and before them the styles: nothing is painted
 * without those, and React puts preloads before stylesheets.
 */
export function usePreloads({ nonce, styles, isPlain }: Preloads): void {
  const files = use(WordsFiles);
  if (isPlain) return;
  preload(styles, { as: 'style' });
  for (const file of files) preloadModule(file, { as: 'script', nonce });
}

interface Preloads {
  readonly nonce: string;
  /** The URL of the styles. */
  readonly styles: string;
  /** Whether the document has its styles in it, and no scripts of the app. */
  readonly isPlain: boolean;
}
