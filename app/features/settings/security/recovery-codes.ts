import type { DataClient } from '#app/client/data-client.ts';
import type { useRecentProof } from '#app/verification/recent-proof.tsx';

/** Creates recovery codes, which replace all earlier ones and cannot be read again. Throws the data service's error. */
export async function makeRecoveryCodes(
  client: DataClient,
  withRecentProof: ReturnType<typeof useRecentProof>['withRecentProof'],
): Promise<string[]> {
  const { data, error } = await withRecentProof(() => client.rpc('make_recovery_codes'));
  if (error) throw error;
  // The database function returns text[].
  return data as string[];
}

/** Returns the number of unused recovery codes. Throws the data service's error. */
export async function countRecoveryCodes(client: DataClient): Promise<number> {
  const { data, error } = await client.rpc('count_recovery_codes');
  if (error) throw error;
  // The database function returns an integer.
  return data as number;
}
