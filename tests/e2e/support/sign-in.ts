import type { BrowserContext } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';

/** Puts a browser into the state in which the app leaves it after a sign-in. */
export async function signIn(context: BrowserContext, url: string, session: Session): Promise<void> {
  await context.addCookies([{ name: 'reunite_signed_in', value: '1', url }]);
  await context.addInitScript((stored) => {
    // Once: what the app keeps there later, or takes away, must stay so.
    if (sessionStorage.getItem('signed in before') !== null) return;
    sessionStorage.setItem('signed in before', 'yes');
    localStorage.setItem('reunite_supabase_auth', stored);
  }, JSON.stringify(session));
}
