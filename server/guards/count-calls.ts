import type { LimitName } from '#server/limits/limits.ts';
import { tooManyRequests } from '#server/rest/errors.ts';
import type { Guard, GuardedCall } from '#server/rest/guard.ts';
import type { GuardOptions } from './guard-options.ts';

/**
 * Counts replies by conversation. The caller chooses that key, so only a reply that was stored counts: an id of no
 * conversation of theirs leaves no counter, nor does a caller who may not reply at all.
 */
export function replyGuard(
  limits: GuardOptions['limits'],
  conversationOf: (call: GuardedCall) => string | null,
): Guard {
  const LIMIT = 'messages_per_conversation';
  const keyOf = (call: GuardedCall) => {
    const conversation = call.role === 'authenticated' ? conversationOf(call) : null;
    return conversation === null ? null : `${digitsOfId(conversation)} owner`;
  };
  return {
    async before(call) {
      const key = keyOf(call);
      if (key === null) return;
      const response = await limits.take(LIMIT, key);
      if (!response.allowed) refuse(response.retryAfterSeconds);
    },
    failed(call) {
      const key = keyOf(call);
      return key === null ? undefined : limits.giveBack(LIMIT, key);
    },
  };
}

/** PostgreSQL reads an id in capitals, without hyphens, and in braces, too. All of them are one conversation. */
function digitsOfId(id: string): string {
  return id.toLowerCase().replaceAll(/[^0-9a-f]/g, '');
}

/** Who has an item back may thank its finder with the same call, which is a reply too. */
export function thankedConversation({ argument }: GuardedCall): string | null {
  if (argument('thanks_param') === '') return null;
  return argument('thanked_id_param') || argument('conversation_id_param');
}

/** Counts calls by the caller's account, for each kind of what is made. */
export function ownGuard(limits: GuardOptions['limits'], limit: LimitName, kind: string): Guard {
  return {
    async before({ account, role }) {
      if (account === null || role !== 'authenticated') return;
      const response = await limits.take(limit, `${account} ${kind}`);
      if (!response.allowed) refuse(response.retryAfterSeconds);
    },
  };
}

export function refuse(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds !== null) throw tooManyRequests(retryAfterSeconds);
}
