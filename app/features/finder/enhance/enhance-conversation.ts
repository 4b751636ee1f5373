import { sendWithin, TIMEOUT_MS } from '#app/resilience/retry-policy.ts';
import { keepInPlace } from '#app/ui/keep-in-place.ts';
import type { SpokenConversation, SpokenMessage } from '#domain/contact/conversation.ts';
import { enhanceReturn } from './enhance-return.ts';
import type { Enhancement } from './enhancement.ts';
import { fetchParts, messagesOf } from './fetch-parts.ts';
import { loadExtras } from './load-extras.ts';
import { scrollToReply } from './scrolling.ts';
import { showLocally } from './show-locally.ts';
import { showProgress } from './show-progress.ts';

/**
 * Milliseconds between two requests while nothing happens. Short at first, when a reply is likely soon, and never
 * longer than a person would wait in front of a page. A hidden page does not poll.
 */
const POLL_WAITS_MS = [3_000, 3_000, 3_000, 5_000, 5_000, 10_000, 10_000];
const LONGEST_POLL_WAIT_MS = 15_000;

/**
 * Shows the owner's replies while the page is open. Returns a function for when a message was sent: it requests the
 * conversation at once, and shows its end. Polls only for a finder who has written, or may have.
 */
export function enhanceConversation(enhancement: Enhancement): () => void {
  const { root, signal } = enhancement;
  const section = root.querySelector<HTMLElement>('[data-conversation]');
  const link = root.querySelector<HTMLElement>('[data-answer-link]');
  const address = section?.dataset.conversation;
  if (!section || !link || address === undefined) return () => {};

  const leadTo = scrollToReply(link, signal);
  let showReturn = enhanceReturn(enhancement);
  const bubbles = new Map<string, HTMLElement>();
  let etag: string | null = null;
  let step = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  let loadAgain = false;
  /** A response is needed, because the page may lack messages of a conversation. */
  let isOwed = false;
  let isJustSent = false;

  for (const message of section.querySelectorAll<HTMLElement>('[data-id]')) {
    bubbles.set(message.dataset.id ?? '', message);
    showLocally(message.querySelector('time'));
  }

  showLocally(section.querySelector('[data-state] time'));

  const add = (message: SpokenMessage) => {
    const bubble = section.querySelector(`[data-bubble=${message.sender}]`)?.cloneNode(true);
    if (!(bubble instanceof HTMLElement)) return;
    delete bubble.dataset.bubble;
    bubble.dataset.id = message.id;
    const { body: textContent, language: lang } = message;
    Object.assign(bubble.querySelector('[data-body]') ?? {}, { textContent, lang });
    bubble.querySelector('[data-said]')?.replaceChildren(message.said);
    const time = bubble.querySelector('time');
    if (time !== null) time.dateTime = message.sent_at;
    showLocally(time);
    time?.after(message.note);
    messagesOf(section)?.append(bubble);
    bubbles.set(message.id, bubble);
  };

  const show = (conversation: SpokenConversation) => {
    const { messages, progress, returned } = conversation;
    const fresh = messages.filter(({ id }) => !bubbles.has(id));
    const returnedNotice = section.querySelector<HTMLElement>('[data-returned]');
    keepInPlace(section.nextElementSibling, () => {
      for (const message of fresh) add(message);
      showProgress(section, progress);
      section.hidden = false;
      if (returnedNotice !== null) returnedNotice.hidden = !returned;
      showReturn(conversation);
    });
    // What the finder has just sent is at the end, where a reversed box then stays.
    const list = messagesOf(section);
    if (fresh.some(({ sender }) => sender === 'finder')) list?.parentElement?.scrollTo(0, 0);
    if (list?.lastElementChild && fresh.some(({ sender }) => sender !== 'finder')) leadTo(list.lastElementChild);
    if (fresh.length > 0) step = 0;
    loadExtras().then(
      ({ completeConversation }) => completeConversation(section, messages),
      () => {},
    );
  };

  /** Returns null where nothing is new, or where the page cannot show it yet. */
  const read = async () => {
    const latest = await readConversation(address, etag, signal);
    if (!latest?.conversation || messagesOf(section)) return latest;
    const isComplete = await fetchParts(section, address, signal);
    showReturn = enhanceReturn(enhancement);
    return isComplete ? latest : null;
  };

  const load = async () => {
    clearTimeout(timer);
    if (isLoading) {
      loadAgain = true;
      return;
    }
    if (document.hidden || signal.aborted) return;
    isLoading = true;
    const latest = await read();
    isLoading = false;
    if (signal.aborted) return;
    step += 1;
    if (latest !== null) {
      isOwed = false;
      etag = latest.etag;
      if (latest.conversation !== null) show(latest.conversation);
      // It has ended. The page says why.
      else if (!section.hidden) location.reload();
    }
    if (loadAgain) {
      loadAgain = false;
      await load();
      return;
    }
    if (isJustSent) {
      isJustSent = false;
      // Above the form, and on a phone above the screen.
      messagesOf(section)?.lastElementChild?.scrollIntoView({ block: 'nearest' });
    }
    // Without a message there is no reply to wait for.
    if (!isOwed && section.hidden) return;
    timer = setTimeout(() => void load(), POLL_WAITS_MS[step] ?? LONGEST_POLL_WAIT_MS);
  };

  const loadSoon = () => {
    step = 0;
    isOwed = true;
    void load();
  };
  // The page is visible again; several of these events come at once.
  const resume = () => {
    if ((isOwed || !section.hidden) && !isLoading) loadSoon();
  };
  document.addEventListener('visibilitychange', resume, { signal });
  addEventListener('focus', resume, { signal });
  addEventListener('online', resume, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
  if (section.dataset.ask !== undefined) loadSoon();
  return () => {
    isJustSent = true;
    loadSoon();
  };
}

interface LoadedConversation {
  readonly etag: string | null;
  readonly conversation: SpokenConversation | null;
}

/** Returns null where nothing is new or no response arrived. */
async function readConversation(
  address: string,
  etag: string | null,
  signal: AbortSignal,
): Promise<LoadedConversation | null> {
  try {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const headers = { Accept: 'application/json', 'Time-Zone': zone, ...(etag !== null && { 'If-None-Match': etag }) };
    const response = await sendWithin(
      TIMEOUT_MS,
      (stop) => fetch(address, { cache: 'no-store', headers, signal: stop }),
      signal,
    );
    if (response.status !== 200) return null;
    // The server's route for this address only responds with this type.
    const conversation = (await response.json()) as SpokenConversation | null;
    return { etag: response.headers.get('etag'), conversation };
  } catch {
    return null;
  }
}
