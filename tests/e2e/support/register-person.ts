import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';

interface Registration {
  readonly email: string;
  readonly password: string;
  readonly fullName: string;
  readonly phone: string;
  /** The code of the sticker that they register with; they then own 'My Tagged Item'. */
  readonly qrId?: string;
}

/** Creates clients of a development server, each for a different user. */
export async function protocolClients({ url, dataDirectory }: ServiceProcess): Promise<() => SupabaseClient> {
  const { publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: dataDirectory }));
  return () => createClient(url, publishableKey, { auth: { persistSession: false, autoRefreshToken: false } });
}

/** A client of the same server with its secret key. */
export async function operatorClient({ url, dataDirectory }: ServiceProcess): Promise<SupabaseClient> {
  const { secretKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: dataDirectory }));
  return createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } });
}

/** Registers and confirms a user without a screen, as the precondition of a journey. */
export async function registerPerson(
  { auth }: SupabaseClient,
  { email, password, fullName, phone, qrId }: Registration,
): Promise<Session> {
  const { error: refusal } = await auth.signUp({
    email,
    password,
    options: { data: { full_name: fullName, phone, ...(qrId !== undefined && { qr_id: qrId }) } },
  });
  if (refusal !== null) throw refusal;
  const { data, error } = await auth.verifyOtp({ email, token: '123456', type: 'signup' });
  if (error !== null || data.session === null) throw error ?? new Error('There is no session.');
  return data.session;
}
