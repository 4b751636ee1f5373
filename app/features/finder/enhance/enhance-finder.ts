import { enhanceContact } from './enhance-contact.ts';
import { enhanceConversation } from './enhance-conversation.ts';
import { enhanceLocation } from './enhance-location.ts';
import { enhanceMessage } from './enhance-message.ts';
import { enhanceShare } from './enhance-share.ts';
import type { Enhancement, EnhancementTexts } from './enhancement.ts';

const TOAST_MS = 5_000;

/**
 * Enhances the finder's plain forms: counter, sending without leaving the page, sharing, the conversation and notices.
 * Returns a function that removes the enhancement. It changes nothing that React would change back.
 */
export function enhanceFinder(root: HTMLElement): () => void {
  const stop = new AbortController();
  const toastElement = root.querySelector<HTMLElement>('[data-toast]');
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const enhancement: Enhancement = {
    root,
    // `enhancementTexts` writes this attribute of the element.
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
  for (const form of root.querySelectorAll<HTMLElement>('[data-desks]')) {
    // It loads the page anew. Another tap meanwhile would be another message.
    form.onsubmit = () => {
      form.inert = true;
      setTimeout(() => {
        form.inert = false;
      }, TOAST_MS);
    };
  }
  enhanceShare(enhancement);
  enhanceContact(enhancement);
  enhanceLocation(enhancement);
  enhanceMessage(enhancement, enhanceConversation(enhancement));
  return () => {
    clearTimeout(hiding);
    stop.abort();
  };
}
