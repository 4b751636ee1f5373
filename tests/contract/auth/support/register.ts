import type { Session, SupabaseClient, User } from '@supabase/supabase-js';
import { type AuthServer, anEmail, aPhone } from './start-auth-server.ts';

export interface Registered {
  readonly client: SupabaseClient;
  readonly user: User;
  readonly session: Session;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
}

export interface Details {
  readonly email?: string;
  readonly phone?: string;
  readonly password?: string;
  readonly data?: Record<string, unknown>;
}

/** Signs up and types the code that was sent, as the app does; resolves with a client that is signed in. */
export async function register(server: AuthServer, details: Details = {}): Promise<Registered> {
  const { email = anEmail(), phone = aPhone(), password = 'correct horse', data = {} } = details;
  const client = server.client();
  const signedUp = await client.auth.signUp({
    email,
    password,
    options: { data: { full_name: 'Olive Owner', phone, ...data } },
  });
  if (signedUp.error) throw signedUp.error;
  const token = server.delivery.codeFor(server.delivery.hasSms && phone !== '' ? phone : email);
  const verified = await client.auth.verifyOtp({ email, token, type: 'signup' });
  if (verified.error) throw verified.error;
  const { user, session } = verified.data;
  if (user === null || session === null) throw new Error('There is no session.');
  return { client, user, session, email, phone, password };
}
