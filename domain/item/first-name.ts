/**
 * Returns the first word of a name, which is all that finders see of an owner, or null where it is empty.
 *
 * @example firstName('Maya Cohen'); // 'Maya'
 */
export function firstName(fullName: string | null | undefined): string | null {
  return fullName?.trim().split(/\s+/)[0] || null;
}
