import { browserClient } from './browser-client.ts';
import { currentSession, mayHaveSession } from './session.ts';

/** Whose a code is, as this visitor may know it: nothing tells one other account from another. */
export type CodeOwner = 'nobody' | 'me' | 'another';

/** Whose the code is. Throws where that could not be asked. */
export async function findCodeOwner(code: string): Promise<CodeOwner> {
  const client = await browserClient();
  const session = mayHaveSession() ? await currentSession() : null;
  const { data, error } = await client.rpc('get_qr_code_owner', { qr_id_param: code });
  if (error) throw error;
  if (data === null) return 'nobody';
  return data === session?.user.id ? 'me' : 'another';
}
