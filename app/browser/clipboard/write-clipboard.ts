/**
 * Writes a text to the clipboard, also on plain HTTP, where browsers lack the interface for it. Rejects where the browser
 * refuses.
 */
export async function writeClipboard(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  if (!copySelected(text)) throw new DOMException('The browser does not copy.', 'NotAllowedError');
}

/** Selects the text for the moment of copying. A selection, unlike a field, leaves the focus where it is. */
function copySelected(text: string): boolean {
  const element = document.createElement('pre');
  element.textContent = text;
  element.style.cssText = 'position:fixed;opacity:0';
  document.body.append(element);
  const selection = getSelection();
  try {
    selection?.selectAllChildren(element);
    return document.execCommand('copy');
  } finally {
    selection?.removeAllRanges();
    element.remove();
  }
}
