import { fitTyped } from '#domain/fit-typed.ts';

/** Keeps a field within its limit while somebody types in it, caret included, and gives what it holds then. */
export function fitField(field: HTMLTextAreaElement, limit: number): string {
  const { text, caret } = fitTyped(field.value, field.selectionEnd, limit);
  if (text !== field.value) {
    field.value = text;
    field.setSelectionRange(caret, caret);
  }
  return text;
}
