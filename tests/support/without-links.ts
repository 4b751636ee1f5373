/** Returns a message's text without its links, whose keys are random and can contain any digits and letters. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/https?:\S+/g, '');
}
