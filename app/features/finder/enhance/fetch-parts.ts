import { sendWithin, TIMEOUT_MS } from '#app/resilience/retry-policy.ts';

/** Returns the list of messages; null while the section has no parts. */
export function messagesOf(section: HTMLElement): Element | null {
  return section.querySelector('[data-messages]');
}

/**
 * Fills the section of a conversation, which a document without one leaves empty, with the parts that the page has after a
 * message, and no messages. Returns whether they have arrived. Never rejects.
 */
export async function fetchParts(section: HTMLElement, address: string, signal: AbortSignal): Promise<boolean> {
  try {
    const path = address.replace(/\/conversation$/, '?sent=1');
    const response = await sendWithin(TIMEOUT_MS, (stop) => fetch(path, { signal: stop }), signal);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    page.querySelector('[data-messages]')?.replaceChildren();
    section.replaceChildren(...(page.querySelector('[data-conversation]')?.children ?? []));
    document.querySelector('[data-pass]')?.replaceChildren(...(page.querySelector('[data-pass]')?.children ?? []));
  } catch {
    // The next response tries again.
  }
  return messagesOf(section) !== null;
}
