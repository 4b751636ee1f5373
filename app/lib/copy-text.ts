/** Puts a text on the clipboard. Rejects where it cannot, such as on plain HTTP, where browsers have no clipboard at all. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
