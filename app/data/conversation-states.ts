import type { DataClient } from '#app/client/data-client.ts';

/** What an owner decided about a conversation. Times are ISO 8601. */
export interface ConversationState {
  /** When the owner said that they have the item back; null while the conversation is open. */
  readonly returnedAt: string | null;
  /** Since when there are no notices of its messages; null where there are. */
  readonly mutedAt: string | null;
  /** Since when its finder is blocked; null where they are not. */
  readonly blockedAt: string | null;
}

/** The state of a conversation that the owner has decided nothing about. */
export const UNDECIDED: ConversationState = { returnedAt: null, mutedAt: null, blockedAt: null };

export interface StateRow {
  readonly id: string;
  readonly returned_at: string | null;
  readonly muted_at: string | null;
  readonly blocked_at: string | null;
}

/** How many conversations an item's page knows the state of, newest first. */
const SHOWN = 1_000;

/** Returns the states of an item's conversations, by conversation. Throws the data service's error. */
export async function loadConversationStates(
  client: DataClient,
  itemId: string,
): Promise<ReadonlyMap<string, ConversationState>> {
  const { data, error } = await client
    .from('conversations')
    .select('id, returned_at, muted_at, blocked_at')
    .eq('item_id', itemId)
    .order('created_at', { ascending: false })
    .limit(SHOWN)
    .overrideTypes<StateRow[], { merge: false }>();
  if (error) throw error;
  return new Map(
    data.map(({ id, returned_at, muted_at, blocked_at }) => [
      id,
      { returnedAt: returned_at, mutedAt: muted_at, blockedAt: blocked_at },
    ]),
  );
}
