import type { MessageLengthState } from '#domain/count-characters.ts';

/** The colour of a message's counter: amber near the limit, red at it. */
export const MESSAGE_LENGTH_LOOK: Readonly<Record<MessageLengthState, string>> = {
  fine: 'text-ink-soft',
  near: 'text-warning',
  full: 'text-danger',
};
