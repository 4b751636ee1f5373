import type { ShouldRevalidateFunctionArgs } from 'react-router';

/**
 * Whether a route loads its data anew: not where only the hash changes. The router itself does where the hash is removed, and
 * a screen that is open, such as the success after tagging, would be replaced when a dialog is closed.
 */
export function revalidateBeyondHash({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isSamePage = currentUrl.pathname === nextUrl.pathname && currentUrl.search === nextUrl.search;
  return isSamePage && currentUrl.hash !== nextUrl.hash ? false : defaultShouldRevalidate;
}
