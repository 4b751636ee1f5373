import type { Enhancement } from './enhancement.ts';

/** Opens the share sheet where the browser has one, else copies the link. */
export function enhanceShare({ root, texts, signal, toast }: Enhancement): void {
  const button = root.querySelector<HTMLButtonElement>('[data-share]');
  if (button === null) return;
  button.hidden = false;
  const share = async () => {
    const url = location.origin + location.pathname;
    try {
      if (typeof navigator.share === 'function') {
        await navigator.share({ title: document.title, url });
        toast(texts.shared);
      } else {
        await navigator.clipboard.writeText(url);
        toast(texts.linkCopied);
      }
    } catch (error) {
      // Closing the sheet is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) toast(texts.shareFailed);
    }
  };
  button.addEventListener('click', () => void share(), { signal });
}
