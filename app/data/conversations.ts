import type { DataClient } from '#app/client/data-client.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import type { FinderReportKind } from '#domain/contact/report.ts';
import type { ConversationState, StateRow } from './conversation-states.ts';
import type { ItemSaveOutcome } from './items.ts';

/** What the owner decides when they have an item back. */
export interface TakingBack {
  /** The conversation that ends; null for all about the item. */
  readonly conversationId: string | null;
  readonly clearsNote: boolean;
  readonly clearsReward: boolean;
  /** A reply to the finder who brought it; null where nobody is thanked. Retries keep its id. */
  /** With an empty text, the finder reads thanks in their own language. */
  readonly thanks: { readonly id: string; readonly conversationId: string; readonly body: string } | null;
}

/**
 * The owner has the item back: it is not lost any more, and all that they decided happens, or nothing. After
 * `unreachable` it is safe to retry.
 */
export async function takeBackItem(client: DataClient, itemId: string, decided: TakingBack): Promise<ItemSaveOutcome> {
  const { conversationId, clearsNote, clearsReward, thanks } = decided;
  const { error, status } = await client.rpc('take_back_item', {
    item_id_param: itemId,
    conversation_id_param: conversationId,
    clears_note_param: clearsNote,
    clears_reward_param: clearsReward,
    ...(thanks !== null && {
      thanks_param: thanks.body,
      language_param: document.documentElement.lang,
      thanks_id_param: thanks.id,
      thanked_id_param: thanks.conversationId,
    }),
  });
  if (!error) return 'saved';
  return isUnreachable(status) ? 'unreachable' : 'refused';
}

/** Whether the owner gets no notices of the conversation. False where that could not be loaded. */
export async function isMuted(client: DataClient, conversationId: string): Promise<boolean> {
  const { data } = await client
    .from('conversations')
    .select('muted_at')
    .eq('id', conversationId)
    .maybeSingle()
    .overrideTypes<Pick<StateRow, 'muted_at'>, { merge: false }>();
  return data !== null && data.muted_at !== null;
}

/** Changes what the owner decided about a conversation. After `unreachable` it is safe to retry. */
export async function decideAbout(
  client: DataClient,
  conversationId: string,
  { returnedAt, mutedAt, blockedAt }: Partial<ConversationState>,
): Promise<ItemSaveOutcome> {
  const { error, status } = await client
    .from('conversations')
    .update({
      ...(returnedAt !== undefined && { returned_at: returnedAt }),
      ...(mutedAt !== undefined && { muted_at: mutedAt }),
      ...(blockedAt !== undefined && { blocked_at: blockedAt }),
    })
    .eq('id', conversationId);
  if (!error) return 'saved';
  return isUnreachable(status) ? 'unreachable' : 'refused';
}

/** Reports the finder of a conversation to the operator. After `unreachable` it is safe to retry. */
export async function reportFinder(
  client: DataClient,
  conversationId: string,
  { kind, body }: { readonly kind: FinderReportKind; readonly body: string },
): Promise<ItemSaveOutcome> {
  const { error, status } = await client.rpc('report_finder', {
    conversation_id_param: conversationId,
    kind_param: kind,
    body_param: body,
  });
  if (!error) return 'saved';
  return isUnreachable(status) ? 'unreachable' : 'refused';
}
