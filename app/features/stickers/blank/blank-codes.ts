import * as v from 'valibot';
import type { DataClient } from '#app/client/data-client.ts';

/** Codes of the owner's that were made together and have no item yet. */
export interface BlankCodes {
  /** ISO 8601. It names them. */
  readonly madeAt: string;
  readonly codes: readonly string[];
}

/** How many blank codes an account may have. The database enforces it (`make_blank_codes`). */
export const MOST_BLANK = 100;

const schema = v.array(v.object({ qr_id: v.string(), made_at: v.string() }));

/** Returns the owner's blank codes, the newest first. Throws the data service's error. */
export async function loadBlankCodes(client: DataClient): Promise<readonly BlankCodes[]> {
  const { data, error } = await client.rpc('list_blank_codes', undefined, { get: true });
  if (error) throw error;
  return toBlankCodes(data);
}

/** A request for blank codes, which makes them once however often it is sent. */
export interface BlankCodesRequest {
  /** A UUID. */
  readonly id: string;
  readonly count: number;
}

/**
 * Makes codes, and returns all blank ones, or null where the account has no room for so many. Throws all other errors of
 * the data service: whether the codes were made may then be unknown, and the same request can be sent again.
 */
export async function makeBlankCodes(
  client: DataClient,
  { id, count }: BlankCodesRequest,
): Promise<readonly BlankCodes[] | null> {
  const { data, error } = await client.rpc('make_blank_codes', { count_param: count, request_id_param: id });
  if (error?.code === 'PT413') return null;
  if (error) throw error;
  return toBlankCodes(data);
}

/** Frees blank codes, such as those of a lost sheet. Throws the data service's error. */
export async function discardBlankCodes(client: DataClient, { codes }: BlankCodes): Promise<void> {
  const { error } = await client.rpc('discard_blank_codes', { qr_ids_param: codes });
  if (error) throw error;
}

function toBlankCodes(data: unknown): readonly BlankCodes[] {
  const groups = new Map<string, string[]>();
  for (const { qr_id, made_at } of v.parse(schema, data)) {
    const group = groups.get(made_at);
    if (group === undefined) groups.set(made_at, [qr_id]);
    else group.push(qr_id);
  }
  return [...groups].map(([madeAt, codes]) => ({ madeAt, codes })).toReversed();
}
