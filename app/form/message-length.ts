import type { MessageLengthState } from '#domain/contact/count-characters.ts';
import { fitTyped } from '#domain/contact/fit-typed.ts';

/** Limits a field's text while the user types, with the caret kept in place. Returns the resulting text. */
export function enforceMaxLength(field: HTMLTextAreaElement, limit: number): string {
  const { text, caret } = fitTyped(field.value, field.selectionEnd, limit);
  if (text !== field.value) {
    field.value = text;
    field.setSelectionRange(caret, caret);
  }
  return text;
}

/** The color of a message's counter: amber near the limit, red at it. */
export const MESSAGE_LENGTH_LOOK: Readonly<Record<MessageLengthState, string>> = {
  fine: 'text-ink-soft',
  near: 'text-warning',
  full: 'text-danger',
};
