import { browserClient } from './browser-client.ts';

/** Ends this browser's session, here and at the service. Throws when the service could not be told. */
export async function signOut(): Promise<void> {
  const { auth } = await browserClient();
  const { error } = await auth.signOut({ scope: 'local' });
  if (error) throw error;
}
