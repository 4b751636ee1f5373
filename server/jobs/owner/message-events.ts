/** SQL: whether something was written in the conversation of `message` before it. */
const HAS_EARLIER = `exists (
          select from public.messages as before
            where before.conversation_id = message.conversation_id
              and (before.created_at, before.id) < (message.created_at, message.id)
        )`;

/**
 * SQL: whether a way tells of a finder's `message`. Of its three switches, whose columns begin with `switches`, the one
 * counts for finders who say that they have the item, for other first messages of conversations, or for later messages.
 * Null without a row of switches.
 */
export function includesMessage(switches: string): string {
  return `(case when message.kind = 'have_it' then ${switches}_has when ${HAS_EARLIER} then ${switches}_more
        else ${switches}_first end)`;
}

/** SQL: whether the owner of `message` turned off emails about later messages, and it is one. */
export const IS_UNWANTED_LATER = `(message.kind <> 'have_it' and not coalesce(settings.email_more, true) and ${HAS_EARLIER})`;

/** SQL: whether the owner wants an email and a push of `message`. */
export const WANTS_EMAIL = `coalesce(settings.email and ${includesMessage('settings.email')}, true)`;
export const WANTS_PUSH = `coalesce(settings.push and ${includesMessage('settings.push')}, true)`;
