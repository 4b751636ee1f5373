import { enhanceContact } from './enhance-contact.ts';
import { enhanceConversation } from './enhance-conversation.ts';
import { enhanceMessage } from './enhance-message.ts';
import { enhanceShare } from './enhance-share.ts';
import type { Enhancement } from './enhancement.ts';
import type { EnhancementTexts } from './enhancement-texts.ts';

const TOAST_MS = 5_000;

/**
 * Adds to the finder's plain forms what a script can: the counter, sending without leaving the page, sharing,
 * the conversation, notices. Returns what takes it off again. It changes nothing that React would change back.
 */
export function enhanceFinder(root: HTMLElement): () => void {
  const stop = new AbortController();
  const toastElement = root.querySelector<HTMLElement>('[data-toast]');
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const enhancement: Enhancement = {
    root,
    // Written by `enhancementTexts` into this very element.
    texts: JSON.parse(root.dataset.texts ?? '{}') as EnhancementTexts,
    signal: stop.signal,
    toast(text) {
      if (toastElement === null) return;
      clearTimeout(hiding);
      toastElement.textContent = text;
      toastElement.toggleAttribute('data-on', true);
      hiding = setTimeout(() => toastElement.toggleAttribute('data-on', false), TOAST_MS);
    },
  };
  enhanceShare(enhancement);
  enhanceContact(enhancement);
  enhanceMessage(enhancement, enhanceConversation(enhancement));
  return () => {
    clearTimeout(hiding);
    stop.abort();
  };
}
