import { countCharacters, MESSAGE_LENGTH, messageLengthState } from '#domain/count-characters.ts';
import { trimMessage } from '#domain/trim-message.ts';
import type { Enhancement } from './enhancement.ts';
import { postForm } from './post-form.ts';
import { randomId } from './random-id.ts';

/** Waits between attempts, in milliseconds; then the finder is asked to try again. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000];

const COUNTER_LOOK = { fine: 'text-ink-soft', near: 'text-warning', full: 'text-danger' } as const;

/**
 * Counts while one types, and sends without leaving the page. A message keeps one id until it is through, so that
 * sending it again on a bad connection cannot make two of it.
 */
export function enhanceMessage({ root, texts, signal, toast }: Enhancement): void {
  const form = root.querySelector<HTMLFormElement>('[data-message]');
  const input = form?.querySelector('textarea');
  const button = form?.querySelector('button');
  const progress = form?.querySelector('[data-progress]');
  const counter = root.querySelector('[data-count]');
  const sentNotice = root.querySelector<HTMLElement>('[data-sent]');
  if (!form || !input || !button || !progress || !counter || !sentNotice) return;

  let id = randomId();
  let sending = false;
  // The browser's own bound counts UTF-16 units, which is stricter than ours for emoji.
  input.removeAttribute('maxlength');

  const show = () => {
    const body = trimMessage(input.value);
    const length = countCharacters(body);
    if (length > MESSAGE_LENGTH) {
      input.value = Array.from(body).slice(0, MESSAGE_LENGTH).join('');
      show();
      return;
    }
    const state = messageLengthState(length);
    counter.textContent = `${length}/${MESSAGE_LENGTH}`;
    for (const look of Object.values(COUNTER_LOOK)) counter.classList.toggle(look, look === COUNTER_LOOK[state]);
    counter.toggleAttribute('data-full', state === 'full');
    button.disabled = sending || length === 0;
  };

  const busy = (now: boolean) => {
    sending = now;
    input.readOnly = now;
    button.textContent = now ? texts.sending : texts.send;
    if (!now) progress.textContent = '';
    show();
  };

  const send = async () => {
    busy(true);
    sentNotice.hidden = true;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await postForm(form, { message_id: id }, signal);
      if (signal.aborted) return;
      if (answer.ok) {
        id = randomId();
        input.value = '';
        busy(false);
        sentNotice.hidden = false;
        toast(texts.messageSent);
        return;
      }
      const delay = RETRY_DELAYS_MS[attempt];
      if (answer.problem !== undefined || delay === undefined) {
        busy(false);
        progress.textContent = answer.problem ?? texts.failed;
        return;
      }
      progress.textContent = navigator.onLine ? texts.retrying : texts.offline;
      await (navigator.onLine ? pause(delay) : untilOnline(signal));
    }
  };

  input.addEventListener(
    'input',
    () => {
      // Another text is another message.
      id = randomId();
      progress.textContent = '';
      show();
    },
    { signal },
  );
  form.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      if (!sending) void send();
    },
    { signal },
  );
  show();
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
