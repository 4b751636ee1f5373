import type { SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import type { TestServer } from '../test-server.ts';
import { anEmail } from './contact-details.ts';

/** Returns an operator's client, in a session with a second factor. */
export async function operatorClient(server: TestServer): Promise<SupabaseClient> {
  const email = anEmail();
  const secret = server.client({ key: server.secrets.secretKey });
  const { data } = await secret.auth.admin.createUser({ email, password: 'correct horse', email_confirm: true });
  await secret.rpc('add_operator', { user_id_param: data.user?.id });
  const client = server.client();
  await client.auth.signInWithPassword({ email, password: 'correct horse' });
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (factor === null) throw new Error('There is no factor.');
  const code = new TOTP({ secret: factor.totp.secret }).generate();
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
  if (error !== null) throw error;
  return client;
}
