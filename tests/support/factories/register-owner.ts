import type { Session, SupabaseClient, User } from '@supabase/supabase-js';
import type { TestServer } from '../test-server.ts';
import { anEmail, aPhone } from './contact-details.ts';

export interface RegisteredOwner {
  /** The official client that registered, signed in. */
  readonly client: SupabaseClient;
  readonly user: User;
  readonly session: Session;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
}

export interface RegistrationDetails {
  readonly email?: string;
  readonly phone?: string;
  readonly password?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Over the wire, as the app does it: signs up and types the code that was sent. Throws what the service refuses. */
export async function registerOwner(
  server: Pick<TestServer, 'client' | 'delivery'>,
  details: RegistrationDetails = {},
): Promise<RegisteredOwner> {
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
