import { linkInText } from '#domain/link-in-text.ts';
import type { Enhancement } from './enhancement.ts';
import { loadExtras } from './load-extras.ts';

/** Opens the share sheet where the browser has one, else copies the link. */
export function enhanceShare({ root, texts, signal, toast }: Enhancement): void {
  const button = root.querySelector<HTMLButtonElement>('[data-share]');
  if (button === null) return;
  button.hidden = false;
  const share = () => void shareLink(linkInText(location.origin + location.pathname), { texts, toast });
  button.addEventListener('click', share, { signal });
}

/** Opens the share sheet with a link, or copies the link where the browser has no sheet. */
export async function shareLink(url: string, { texts, toast }: Pick<Enhancement, 'texts' | 'toast'>): Promise<void> {
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ title: document.title, url });
      toast(texts.shared);
    } else {
      await (await loadExtras()).writeClipboard(url);
      toast(texts.linkCopied);
    }
  } catch (error) {
    // Closing the sheet is not a failure.
    if ((error as Error).name !== 'AbortError') toast(texts.shareFailed);
  }
}
