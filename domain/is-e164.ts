/**
 * Whether a text is a number as ITU-T E.164 writes it: a plus and at most 15 digits. Libraries know longer ones, which
 * some networks use inside their country; nobody abroad can dial them.
 */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{1,14}$/.test(text);
}
