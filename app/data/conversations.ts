import type { AppClient } from '#app/client/app-client.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import type { FinderReportKind } from '#domain/contact/report.ts';
import type { ConversationState, StateRow } from './conversation-states.ts';
import type { ItemSaveOutcome } from './items.ts';

/**
 * The owner has the item back: it is not lost any more, and its conversations end, or the one with the finder who
 * brought it. After `unreachable` it is safe to retry.
 */
export async function takeBackItem(
  client: AppClient,
  itemId: string,
  conversationId: string | null,
): Promise<ItemSaveOutcome> {
  const { error, status } = await client.rpc('take_back_item', {
    item_id_param: itemId,
    conversation_id_param: conversationId,
  });
  if (!error) return 'saved';
  return isUnreachable(status) ? 'unreachable' : 'refused';
}

/** Whether the owner gets no notices of the conversation. False where that could not be loaded. */
export async function isMuted(client: AppClient, conversationId: string): Promise<boolean> {
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
  client: AppClient,
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
  client: AppClient,
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
