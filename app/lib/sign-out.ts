import { browserClient } from './browser-client.ts';

let leaving = false;

/** Whether the session is being ended from this tab, which then says so itself. */
export function isSigningOut(): boolean {
  return leaving;
}

/** Ends this browser's session, here and at the service. Throws when the service could not be told. */
export async function signOut(): Promise<void> {
  leaving = true;
  try {
    const { auth } = await browserClient();
    const { error } = await auth.signOut({ scope: 'local' });
    if (error) throw error;
  } finally {
    leaving = false;
  }
}
