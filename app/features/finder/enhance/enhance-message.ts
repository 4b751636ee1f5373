import { shouldMoveFocus } from '#app/browser/should-move-focus.ts';
import { randomKey } from '#app/data/random-key.ts';
import { enforceMaxLength, MESSAGE_LENGTH_LOOK } from '#app/form/message-length.ts';
import { pause, WAITS_MS } from '#app/resilience/retry-policy.ts';
import { countCharacters, MESSAGE_LENGTH, messageLengthState } from '#domain/contact/count-characters.ts';
import { isPlacedTap } from '#domain/contact/message-details.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { timeOrderedId } from '#domain/ids.ts';
import { trimBlanks } from '#domain/white-space.ts';
import type { SendPhoto } from '../extras/photos.ts';
import type { Enhancement } from './enhancement.ts';
import { loadExtras } from './load-extras.ts';
import { fieldsOf, postForm } from './post-form.ts';
import { keepUnsent, readUnsent } from './unsent-message.ts';
import { untilOnline } from './until-online.ts';

/**
 * Counts characters while the finder types, and sends without leaving the page. Typed text is kept for this tab until
 * it is sent. A message keeps its id until it is confirmed, so that a retry on a bad connection, or after a reload,
 * does not create a second one. Its photo follows it, so that a slow upload delays no text. Calls `onSent` after each
 * message.
 */
export function enhanceMessage({ root, texts, signal, toast }: Enhancement, onSent: () => void): void {
  const form = root.querySelector<HTMLFormElement>('[data-message]');
  const input = form?.querySelector('textarea');
  const button = form?.querySelector<HTMLButtonElement>('[data-send]');
  const photoField = form?.querySelector<HTMLInputElement>('[type=file]');
  const progress = form?.querySelector('[data-progress]');
  const place = root.querySelector<HTMLInputElement>('[name=place]');
  // The button of the Enter key, and the one beside the place: without effect until a tap asks for it.
  const enter = root.querySelector<HTMLButtonElement>('[name=kind][hidden]');
  const sendTap = root.querySelector<HTMLButtonElement>('[name=sure]');
  const details = place?.closest('details');
  const counter = root.querySelector('[data-count]');
  const failed = form?.querySelector<HTMLElement>('[data-failed]');
  const reason = failed?.querySelector('p + p');
  if (!form || !input || !button || !photoField || !place || !enter || !sendTap || !details) return;
  if (!progress || !counter || !failed || !reason) return;

  const unsent = readUnsent(form);
  // The server uses it for the first message of a conversation and returns it as an HttpOnly cookie.
  const finderKey = unsent?.sent?.finderKey ?? randomKey();
  const taps = root.querySelectorAll<HTMLButtonElement>('[data-taps] button');
  const noResponse = reason.textContent;
  /** The message that is being sent, or was not sent. */
  let attempted = unsent?.sent;
  let sending = false;
  let sendPhoto: Promise<SendPhoto | null> | null = null;
  /** What a message says that is sent by no tap: that for which a place was asked, or a photo. */
  const kindOfRest = () => {
    if (!enter.disabled && (trimBlanks(place.value) || !trimBlanks(input.value))) return enter.value;
    return photoField.value && 'photo';
  };
  /** Without its script, a photo goes with the form as the browser sends it. */
  let isPlain = false;
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
    // A photo, and the place that was asked for, say enough.
    button.disabled = sending || !(length || kindOfRest());
    for (const tap of [sendTap, ...taps]) tap.disabled = sending;
  };

  const draft = () => ({ body: input.value, place: place.value });

  const busy = (now: boolean) => {
    // A disabled button loses the focus, and a keyboard user their position.
    if (now && [button, sendTap, ...taps].some(shouldMoveFocus)) input.focus();
    sending = now;
    input.readOnly = now;
    button.textContent = now ? texts.sending : texts.send;
    if (!now) progress.textContent = '';
    show();
  };

  /** Presses the tap of this kind, which lacks its place; none for an empty kind. */
  const press = (kind: string) => {
    enter.value = kind;
    sendTap.value = kind;
    enter.disabled = !kind;
    sendTap.hidden = !kind;
    for (const tap of taps) {
      if (tap.value === kind) tap.setAttribute('aria-pressed', 'true');
      else tap.removeAttribute('aria-pressed');
    }
    show();
  };

  const askForPlace = (kind: string) => {
    press(kind);
    details.open = true;
    place.focus();
  };

  const send = async (fields: Readonly<Record<string, string>>) => {
    busy(true);
    failed.hidden = true;
    // Something else is another message.
    const isSame = JSON.stringify(attempted?.fields) === JSON.stringify(fields);
    const sent = attempted && isSame ? attempted : { id: timeOrderedId(), finderKey, fields };
    attempted = sent;
    keepUnsent(form, { ...draft(), sent });
    for (let attempt = 0; ; attempt += 1) {
      const response = await postForm(form, { ...fields, message_id: sent.id, finder_key: finderKey }, signal);
      if (signal.aborted) return;
      if (response.ok) {
        keepUnsent(form, null);
        attempted = undefined;
        for (const field of [place, input]) field.defaultValue = '';
        form.reset();
        details.open = false;
        press('');
        busy(false);
        // From now on words are likelier, as on the next visit.
        const [first, next] = taps;
        if (first && next) first.className = next.className;
        form.prepend(enter);
        for (const part of root.querySelectorAll('[data-taps],[data-place]')) form.append(part);
        // Asked once, right below the message that was sent; the other ways follow.
        const title = root.querySelector<HTMLElement>('[data-more]');
        if (title?.dataset.more) title.textContent = title.dataset.more;
        const contact = root.querySelector('[data-share]')?.closest('section');
        if (contact?.nextElementSibling === form.parentElement) root.querySelector('[data-pass]')?.after(contact);
        toast(texts.messageSent);
        onSent();
        void sendPhoto?.then((send) => send?.(sent.id));
        sendPhoto = null;
        return;
      }
      // After the last attempt the finder is asked to try again.
      const delay = WAITS_MS.shown[attempt];
      if (response.problem !== undefined || delay === undefined) {
        if (response.problem !== undefined) keepUnsent(form, draft());
        busy(false);
        reason.textContent = response.problem ?? noResponse;
        failed.hidden = false;
        failed.scrollIntoView({ block: 'nearest' });
        return;
      }
      progress.textContent = navigator.onLine ? texts.retrying : texts.offline;
      await (navigator.onLine ? pause(delay) : untilOnline(signal));
    }
  };

  const choose = () => {
    isPlain = false;
    sendPhoto = loadExtras()
      .then(({ choosePhoto }) => choosePhoto({ field: photoField, status: progress, signal }))
      .catch(() => {
        isPlain = true;
        // The browser's own field says what was chosen.
        photoField.className = '';
        return null;
      });
  };

  // A browser restores a form, and its photo, without an event of the field.
  const resume = () => {
    if (photoField.value && sendPhoto === null) choose();
    show();
  };

  photoField.addEventListener('change', choose, { signal });
  details.addEventListener('toggle', () => details.open || press(''), { signal });
  // The place stands outside of the form until something was sent.
  root.addEventListener(
    'input',
    ({ target }) => {
      if ((target as HTMLInputElement).form !== form) return;
      progress.textContent = '';
      failed.hidden = true;
      show();
      if (target === input || target === place) keepUnsent(form, input.value || place.value ? draft() : null);
    },
    { signal },
  );
  form.addEventListener(
    'submit',
    (event) => {
      if (isPlain) return;
      event.preventDefault();
      const { submitter } = event;
      // The button that was pressed: a tap, or the one for the text.
      const pressed = submitter instanceof HTMLButtonElement ? submitter : button;
      const kind = pressed.value || kindOfRest();
      const fields = fieldsOf(form);
      // These taps alone say little, so only a button for sending sends them without a place.
      const lacksPlace = isPlacedTap(pressed.value) && !trimBlanks(fields.place ?? '') && !fields.latitude;
      if (lacksPlace && pressed !== sendTap) askForPlace(pressed.value);
      else if (!sending) void send({ ...fields, ...(kind && { kind }) });
    },
    { signal },
  );
  if (unsent !== null) {
    input.value = unsent.body;
    place.value = unsent.place ?? '';
    if (place.value) details.open = true;
  }
  resume();
  // Some browsers restore it only at this point.
  addEventListener('pageshow', resume, { signal });
  if (attempted !== undefined) void send(attempted.fields);
}
