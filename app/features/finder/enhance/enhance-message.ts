import { shouldMoveFocus } from '#app/browser/should-move-focus.ts';
import { randomId, randomKey } from '#app/data/random-id.ts';
import { enforceMaxLength, MESSAGE_LENGTH_LOOK } from '#app/form/message-length.ts';
import { pause, WAITS_MS } from '#app/resilience/retry-policy.ts';
import { countCharacters, MESSAGE_LENGTH, messageLengthState } from '#domain/contact/count-characters.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import type { Enhancement } from './enhancement.ts';
import { postForm } from './post-form.ts';
import { keepUnsent, readUnsent } from './unsent-message.ts';

/**
 * Counts characters while the finder types, and sends without leaving the page. Typed text is kept for this tab until
 * it is sent. A message keeps its id until it is confirmed, so that a retry on a bad connection, or after a reload,
 * does not create a second one. Calls `onSent` after each message.
 */
export function enhanceMessage({ root, texts, signal, toast }: Enhancement, onSent: () => void): void {
  const form = root.querySelector<HTMLFormElement>('[data-message]');
  const input = form?.querySelector('textarea');
  const button = form?.querySelector('button');
  const progress = form?.querySelector('[data-progress]');
  const counter = root.querySelector('[data-count]');
  const sentNotice = root.querySelector<HTMLElement>('[data-sent]');
  if (!form || !input || !button || !progress || !counter || !sentNotice) return;

  const unsent = readUnsent(form);
  // The server uses it for the first message of a conversation and returns it as an HttpOnly cookie.
  const finderKey = unsent?.sent?.finderKey ?? randomKey();
  let id = unsent?.sent?.id ?? randomId();
  let sending = false;
  // The browser's own limit counts UTF-16 units, which is stricter than ours for emoji.
  input.removeAttribute('maxlength');

  const show = () => {
    const length = countCharacters(trimMessage(enforceMaxLength(input, MESSAGE_LENGTH)));
    const state = messageLengthState(length);
    counter.textContent = `${length}/${MESSAGE_LENGTH}`;
    for (const look of Object.values(MESSAGE_LENGTH_LOOK)) {
      counter.classList.toggle(look, look === MESSAGE_LENGTH_LOOK[state]);
    }
    counter.toggleAttribute('data-full', state === 'full');
    button.disabled = sending || length === 0;
  };

  const busy = (now: boolean) => {
    // A disabled button loses the focus, and a keyboard user their position.
    if (now && shouldMoveFocus(button)) input.focus();
    sending = now;
    input.readOnly = now;
    button.textContent = now ? texts.sending : texts.send;
    if (!now) progress.textContent = '';
    show();
  };

  const send = async () => {
    busy(true);
    sentNotice.hidden = true;
    keepUnsent(form, { body: input.value, sent: { id, finderKey } });
    for (let attempt = 0; ; attempt += 1) {
      const response = await postForm(form, { message_id: id, finder_key: finderKey }, signal);
      if (signal.aborted) return;
      if (response.ok) {
        keepUnsent(form, null);
        id = randomId();
        input.value = '';
        busy(false);
        sentNotice.hidden = false;
        toast(texts.messageSent);
        onSent();
        return;
      }
      // After the last attempt the finder is asked to try again.
      const delay = WAITS_MS.shown[attempt];
      if (response.problem !== undefined || delay === undefined) {
        if (response.problem !== undefined) keepUnsent(form, { body: input.value });
        busy(false);
        progress.textContent = response.problem ?? texts.failed;
        return;
      }
      progress.textContent = navigator.onLine ? texts.retrying : texts.offline;
      await (navigator.onLine ? pause(delay) : untilOnline(signal));
    }
  };

  input.addEventListener(
    'input',
    () => {
      // Changed text is a new message.
      id = randomId();
      progress.textContent = '';
      show();
      keepUnsent(form, input.value === '' ? null : { body: input.value });
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
  if (unsent !== null) input.value = unsent.body;
  show();
  // A browser restores a form without an input event, some only at this point.
  addEventListener('pageshow', show, { signal });
  if (unsent?.sent !== undefined) void send();
}

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
