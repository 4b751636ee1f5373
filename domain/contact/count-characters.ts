/** The longest anonymous message, in code points, after trimming. */
export const MESSAGE_LENGTH = 250;

/**
 * Returns a text's length in code points, as the database limits it.
 *
 * @example countCharacters('🔑🔑'); // 2, where `length` is 4
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export type MessageLengthState = 'fine' | 'near' | 'full';

/** `near` above 80% of the limit, `full` from the limit on. */
export function messageLengthState(length: number, limit: number = MESSAGE_LENGTH): MessageLengthState {
  if (length >= limit) return 'full';
  return length > limit * 0.8 ? 'near' : 'fine';
}
