import type { Session } from '@supabase/supabase-js';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { protocolClients, registerPerson } from './register-person.ts';

/** Dana and her things, as the pictures and the checks of every screen show them. */
export interface Story {
  readonly session: Session;
  /** Somebody with an account and nothing else. */
  readonly newcomer: Session;
  readonly email: string;
  readonly password: string;
  readonly codes: Readonly<Record<'keys' | 'backpack' | 'wallet', string>>;
}

const PASSWORD = 'three keys on a ribbon';

const THINGS = [
  ['wallet', 'Brown wallet', 'Worn leather, a bus card inside'],
  ['backpack', 'School backpack', 'Blue, with a rocket on it'],
  ['keys', 'House keys', 'Three keys on a red ribbon'],
] as const;

/** Tells the story to a development server that nobody has used, over its own protocol. */
export async function seedStory(service: ServiceProcess): Promise<Story> {
  const newClient = await protocolClients(service);
  const email = 'dana@example.com';
  const client = newClient();
  const dana = { email, password: PASSWORD, fullName: 'Dana Levi', phone: '+972501234567' };
  const noam = { email: 'noam@example.com', password: PASSWORD, fullName: 'Noam Katz', phone: '+972521234567' };
  const session = await registerPerson(client, dana);
  const newcomer = await registerPerson(newClient(), noam);

  const codes = { keys: '', backpack: '', wallet: '' };
  for (const [type, name, description] of THINGS) {
    const code = `tgt-A-story-of-the-${type}`;
    codes[type] = code;
    const row = { qr_id: code, user_id: session.user.id, item_type: type, item_name: name, description };
    must(await client.from('items').insert(row));
  }
  const lost = { lost_at: new Date().toISOString(), note_to_finders: 'There is a reward for whoever brings it back.' };
  must(await client.from('items').update(lost).eq('qr_id', codes.backpack));
  const closed = { whatsapp_enabled: false, call_enabled: false, email_enabled: false, message_enabled: false };
  must(await client.from('items').update(closed).eq('qr_id', codes.wallet));
  for (const body of ['I found your keys at the café on the corner.', 'They are safe behind the counter.']) {
    must(
      await newClient().rpc('send_message', {
        qr_id_param: codes.keys,
        body_param: body,
        finder_key_param: 'the-key-of-one-finder-in-the-story',
      }),
    );
  }
  return { session, newcomer, email, password: PASSWORD, codes };
}

function must({ error }: { readonly error: Error | null }): void {
  if (error !== null) throw error;
}
