/** The name by which a finder knows an owner: the first word, or null where there is none. */
export function firstName(fullName: string | null | undefined): string | null {
  return fullName?.trim().split(/\s+/)[0] || null;
}
