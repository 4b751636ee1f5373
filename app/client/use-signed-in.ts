import { useRouteLoaderData } from 'react-router';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import type { EarlyScripts } from './request-context.ts';
import { mayHaveSession } from './session.ts';

/**
 * Whether somebody seems to be signed in, on a page for everyone: what the server expects until the page is hydrated, then
 * what the browser has stored.
 */
export function useSignedIn(): boolean {
  const root = useRouteLoaderData<{ earlyScripts: EarlyScripts | null }>('root');
  // The server sends them to signed-in users, who never see the sign-in link.
  const isExpected = root?.earlyScripts != null;
  return useHydrated() ? mayHaveSession() : isExpected;
}
