import type { SpokenMessage } from '#domain/contact/conversation.ts';
import { showPhoto } from './photos.ts';

/** Completes the messages that are shown, each time that the conversation has been read. */
export function completeConversation(section: HTMLElement, messages: readonly SpokenMessage[]): void {
  for (const { id, photo, said } of messages) {
    const bubble = section.querySelector<HTMLElement>(`[data-id="${id}"]`);
    // In the document, moments are in their sender's time zone.
    bubble?.querySelector('[data-said]')?.replaceChildren(said);
    // It arrives after its message, which is often shown by then.
    if (photo && bubble && !bubble.querySelector('img')) showPhoto(bubble, id);
  }
  void showPhrases(section);
}

/**
 * Shows what the finder can say in one tap, above the taps of the form: a document without messages does not contain it.
 * Tells the page with further phrases the browser's time zone. Repeating it changes nothing.
 */
async function showPhrases(section: HTMLElement): Promise<void> {
  const taps = section.closest('[data-finder]')?.querySelector('[data-taps]');
  const address = section.dataset.conversation?.replace(/conversation$/, 'say');
  if (!taps || address === undefined || section.dataset.completed !== undefined) return;
  section.dataset.completed = '';
  const before = document.querySelector<HTMLElement>('[data-phrases] a')?.parentElement;
  const chips = before ?? (await fetchChips(address).catch(() => null));
  const link = chips?.querySelector('a');
  if (!chips || !link) {
    // The next message tries again.
    delete section.dataset.completed;
    return;
  }
  link.href = `${address}?zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
  link.hidden = false;
  chips.hidden = false;
  if (chips !== before) taps.before(chips);
}

/** Returns those of the page with all phrases; null where there is none. */
async function fetchChips(address: string): Promise<HTMLElement | null> {
  const response = await fetch(address);
  if (!response.ok) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return page.querySelector<HTMLElement>('[data-phrases]');
}
