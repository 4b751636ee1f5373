import type { Conversation, ConversationMessage } from '#domain/conversation.ts';
import type { Enhancement } from './enhancement.ts';
import { keepInPlace } from './keep-in-place.ts';
import { leadToAnswer } from './lead-to-answer.ts';

/**
 * Waits between two questions, in milliseconds, while nothing happens. Asking is quick at first, when an answer may
 * come any moment, and never rarer than somebody waits in front of a page; one that is not looked at does not ask.
 */
const WAITS_MS = [3_000, 3_000, 3_000, 5_000, 5_000, 10_000, 10_000, 15_000];

/** Milliseconds after which a connection that says nothing counts as lost. */
const PATIENCE_MS = 15_000;

/**
 * Shows what the owner answers while the page is open. Returns how to ask at once, such as after something was sent.
 * Only a finder who has written, or may have, is asked for.
 */
export function enhanceConversation({ root, signal }: Enhancement): () => void {
  const section = root.querySelector<HTMLElement>('[data-conversation]');
  const list = section?.querySelector('[data-messages]');
  const link = root.querySelector<HTMLElement>('[data-answer-link]');
  const address = section?.dataset.conversation;
  if (!section || !list || !link || address === undefined) return () => {};

  const leadTo = leadToAnswer(link, signal);
  const shown = new Set<string>();
  let etag: string | null = null;
  let step = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let askAgain = false;

  for (const message of list.querySelectorAll<HTMLElement>('[data-id]')) {
    shown.add(message.dataset.id ?? '');
    showLocally(message.querySelector('time'));
  }

  const add = (message: ConversationMessage) => {
    const bubble = section.querySelector(`[data-bubble=${message.sender}]`)?.cloneNode(true);
    if (!(bubble instanceof HTMLElement)) return;
    delete bubble.dataset.bubble;
    bubble.dataset.id = message.id;
    const body = bubble.querySelector('[data-body]');
    if (body !== null) body.textContent = message.body;
    const time = bubble.querySelector('time');
    if (time !== null) time.dateTime = message.sent_at;
    showLocally(time);
    list.append(bubble);
    shown.add(message.id);
  };

  const show = ({ messages }: Conversation) => {
    const fresh = messages.filter(({ id }) => !shown.has(id));
    keepInPlace(section.nextElementSibling, () => {
      for (const message of fresh) add(message);
      section.hidden = false;
    });
    if (list.lastElementChild && fresh.some(({ sender }) => sender === 'owner')) leadTo(list.lastElementChild);
    if (fresh.length > 0) step = 0;
  };

  const ask = async () => {
    clearTimeout(timer);
    if (isAsking) {
      askAgain = true;
      return;
    }
    if (document.hidden || signal.aborted) return;
    isAsking = true;
    const answer = await readConversation(address, etag, signal);
    isAsking = false;
    if (signal.aborted) return;
    step += 1;
    if (answer !== null) {
      etag = answer.etag;
      if (answer.conversation !== null) show(answer.conversation);
    }
    if (askAgain) {
      askAgain = false;
      await ask();
      return;
    }
    // There is nothing to wait for until something is written.
    if (section.hidden || answer?.conversation === null) return;
    timer = setTimeout(() => void ask(), WAITS_MS[Math.min(step, WAITS_MS.length - 1)]);
  };

  const askSoon = () => {
    step = 0;
    void ask();
  };
  // Somebody is back in front of the page; several of these come at once.
  const resume = () => {
    if (!section.hidden && !isAsking) askSoon();
  };
  document.addEventListener('visibilitychange', resume, { signal });
  addEventListener('focus', resume, { signal });
  addEventListener('online', resume, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
  if (section.dataset.ask !== undefined) askSoon();
  return askSoon;
}

interface ConversationAnswer {
  readonly etag: string | null;
  readonly conversation: Conversation | null;
}

/** Null where nothing is new, or nobody answered. */
async function readConversation(
  address: string,
  etag: string | null,
  signal: AbortSignal,
): Promise<ConversationAnswer | null> {
  // By hand: AbortSignal.any and .timeout are missing on phones that are still in use.
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  const late = setTimeout(giveUp, PATIENCE_MS);
  signal.addEventListener('abort', giveUp);
  try {
    const response = await fetch(address, {
      cache: 'no-store',
      headers: { Accept: 'application/json', ...(etag !== null && { 'If-None-Match': etag }) },
      signal: attempt.signal,
    });
    if (response.status !== 200) return null;
    // The shape is the server's: its route for this address answers with nothing else.
    const conversation = (await response.json()) as Conversation | null;
    return { etag: response.headers.get('etag'), conversation };
  } catch {
    return null;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', giveUp);
  }
}

function showLocally(time: HTMLTimeElement | null): void {
  if (time === null) return;
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  time.textContent = format.format(new Date(time.dateTime));
}
