import { fitField } from '#app/lib/fit-field.ts';
import { MESSAGE_LENGTH_LOOK } from '#app/lib/message-length-look.ts';
import { randomId } from '#app/lib/random-id.ts';
import { shouldMoveFocus } from '#app/lib/should-move-focus.ts';
import { countCharacters, MESSAGE_LENGTH, messageLengthState } from '#domain/count-characters.ts';
import { trimMessage } from '#domain/trim-message.ts';
import type { Enhancement } from './enhancement.ts';
import { postForm } from './post-form.ts';
import { randomKey } from './random-key.ts';
import { keepUnsent, readUnsent } from './unsent-message.ts';

/** Waits between attempts, in milliseconds; then the finder is asked to try again. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000];

/**
 * Counts while the finder types, and sends without leaving the page. What was typed stays for this tab until it is sent.
 * A message keeps one id until it is confirmed, so that sending it again on a bad connection, or after a reload, makes no
 * second one. Calls `onSent` after each message that was sent.
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
  // The server takes it for the first message of a conversation, and gives it back as a cookie which no script reads.
  const finderKey = unsent?.sent?.finderKey ?? randomKey();
  let id = unsent?.sent?.id ?? randomId();
  let sending = false;
  // The browser's own bound counts UTF-16 units, which is stricter than ours for emoji.
  input.removeAttribute('maxlength');

  const show = () => {
    const length = countCharacters(trimMessage(fitField(input, MESSAGE_LENGTH)));
    const state = messageLengthState(length);
    counter.textContent = `${length}/${MESSAGE_LENGTH}`;
    for (const look of Object.values(MESSAGE_LENGTH_LOOK)) {
      counter.classList.toggle(look, look === MESSAGE_LENGTH_LOOK[state]);
    }
    counter.toggleAttribute('data-full', state === 'full');
    button.disabled = sending || length === 0;
  };

  const busy = (now: boolean) => {
    // A button that is disabled loses the focus, and with it the place of whoever goes by keys.
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
      const answer = await postForm(form, { message_id: id, finder_key: finderKey }, signal);
      if (signal.aborted) return;
      if (answer.ok) {
        keepUnsent(form, null);
        id = randomId();
        input.value = '';
        busy(false);
        sentNotice.hidden = false;
        toast(texts.messageSent);
        onSent();
        return;
      }
      const delay = RETRY_DELAYS_MS[attempt];
      if (answer.problem !== undefined || delay === undefined) {
        if (answer.problem !== undefined) keepUnsent(form, { body: input.value });
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
  // A browser that restores the form does so without an input event, and some do it only now.
  addEventListener('pageshow', show, { signal });
  if (unsent?.sent !== undefined) void send();
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
