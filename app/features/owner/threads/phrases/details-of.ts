import type { Message } from '#app/data/messages.ts';
import type { UnsentReply } from '#app/data/reply-outbox.ts';
import { type MessageDetails, NO_DETAILS } from '#domain/contact/message-details.ts';

/** Returns what a message, or an unsent reply, says beside its text. */
export function detailsOf(entry: Message | UnsentReply): MessageDetails {
  return 'state' in entry ? { ...NO_DETAILS, ...entry.phrase } : entry.details;
}
