import type { SupabaseClient } from '@supabase/supabase-js';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import type { TestServer } from '#tests/support/test-server.ts';
import { registerKey } from './register-key.ts';
import { type Lies, SoftwareKey } from './software-key.ts';

/** What owners do with passkeys at a server, with the official client. */
export function passkeyCalls(server: TestServer) {
  const addPasskey = async ({ auth }: SupabaseClient, key = new SoftwareKey(server.url), lies: Lies = {}) => ({
    key,
    ...(await registerKey(auth, key, lies)),
  });

  return {
    addPasskey,

    /** Registers an owner, who adds a passkey. */
    async withPasskey(key = new SoftwareKey(server.url)) {
      const owner = await registerOwner(server);
      const { data, error } = await addPasskey(owner.client, key);
      if (error !== null) throw error;
      return { owner, key, passkey: data };
    },

    /** Signs in by passkey. Returns the response, with what was sent. */
    async signIn(key: SoftwareKey, lies: Lies = {}, client = server.client()) {
      const started = await client.auth.passkey.startAuthentication();
      if (started.error !== null) throw started.error;
      const { challenge_id: challengeId, options } = started.data;
      const credential = key.get(options, lies);
      const signed = { challengeId, credential };
      return { client, signed, ...(await client.auth.passkey.verifyAuthentication(signed)) };
    },

    async signInByPassword({ email, password }: RegisteredOwner) {
      const client = server.client();
      const { error } = await client.auth.signInWithPassword({ email, password });
      if (error !== null) throw error;
      return client;
    },
  };
}
