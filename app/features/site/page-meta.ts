import type { PublicConfig } from '#app/lib/request-context.ts';

interface RootMatch {
  readonly id: string;
  readonly loaderData?: unknown;
}

/** The product's name, from what the root loaded; for titles, which are made outside of components. */
export function productNameOf(matches: readonly (RootMatch | undefined)[]): string {
  const root = matches.find((match) => match?.id === 'root')?.loaderData;
  // The root's loader returns this; it is missing only where the root itself failed.
  return (root as { publicConfig: PublicConfig } | undefined)?.publicConfig.productName ?? '';
}

/** `page – product`, as the title of a document. */
export function pageTitle(page: string, matches: readonly (RootMatch | undefined)[]): { title: string } {
  return { title: `${page} – ${productNameOf(matches)}` };
}
