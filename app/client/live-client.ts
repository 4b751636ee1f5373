import { loadOnce } from '#app/ui/load-once.ts';
import { backgroundClient } from './background-client.ts';
import { readPublicConfig } from './read-public-config.ts';

/** The realtime client of this tab. It follows the session: open channels receive each new token. */
export const liveClient = loadOnce(async () => {
  const [{ RealtimeClient }, { auth }] = await Promise.all([import('@supabase/realtime-js'), backgroundClient()]);
  const { publishableKey } = readPublicConfig();
  const client = new RealtimeClient(`${location.origin.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: publishableKey },
    accessToken: async () => (await auth.getSession()).data.session?.access_token ?? publishableKey,
  });
  let known: string | undefined;
  auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') {
      known = undefined;
      void client.setAuth();
    } else if (session !== null && session.access_token !== known) {
      known = session.access_token;
      void client.setAuth(known);
    }
  });
  return client;
});
