import { fetchWithProgress } from '#app/browser/fetch-with-progress.ts';
import { shrinkPicture } from '#app/browser/shrink-picture.ts';
import { pause, WAITS_MS } from '#app/resilience/retry-policy.ts';
import { untilOnline } from '../enhance/until-online.ts';
import { texts } from './given-texts.ts';

/** The longer side of the preview, in pixels. */
const PREVIEW = 320;
/** As in `message-photo.tsx`, whose classes have other names in the document. */
const SHOWN = { maxHeight: '10rem', borderRadius: 'var(--radius-lg)' } as const;

/** Shows the photo of a message in its bubble. */
export function showPhoto(bubble: HTMLElement, messageId: string): void {
  if (bubble.querySelector('img') !== null) return;
  const link = document.createElement('a');
  link.href = photoPath(messageId);
  const image = new Image();
  image.src = `${link.href}?small`;
  image.alt = texts.yours;
  Object.assign(image.style, SHOWN, { height: SHOWN.maxHeight });
  link.append(image);
  bubble.append(link);
}

/** The conversation's section names the path of the conversation, beside which the photos of its messages are. */
function photoPath(messageId: string): string {
  const section = document.querySelector<HTMLElement>('[data-conversation]');
  return (section?.dataset.conversation ?? '').replace(/conversation$/, `photo/${messageId}`);
}

/** Sends a photo to a message that has arrived, and shows it there. Says below the form what became of it. Never rejects. */
export type SendPhoto = (messageId: string) => Promise<void>;

export interface PhotoFormOptions {
  readonly field: HTMLInputElement;
  /** Says what is going on. */
  readonly status: Element;
  readonly signal: AbortSignal;
}

/**
 * Shows the photo that the field contains now, and makes it small enough for a slow connection. Returns null where the field
 * is empty.
 */
export function choosePhoto({ field, status, signal }: PhotoFormOptions): SendPhoto | null {
  field.parentElement?.querySelector('[data-chosen]')?.remove();
  const [file] = field.files ?? [];
  if (file === undefined) return null;
  const shown = document.createElement('span');
  shown.dataset.chosen = '';
  shown.style.flexBasis = '100%';
  const preview = document.createElement('canvas');
  Object.assign(preview.style, SHOWN);
  const bar = document.createElement('progress');
  bar.hidden = true;
  shown.append(preview, bar);
  field.after(shown);
  // A picture that this browser cannot decode may be one that the server can.
  const shrunk = shrinkPicture(file).catch(() => file);
  void shrunk.then((picture) => draw(preview, picture)).catch(() => preview.replaceWith(file.name));

  return async (messageId) => {
    bar.hidden = false;
    status.textContent = texts.sending;
    const problem = await post(photoPath(messageId), await shrunk, { bar, signal });
    if (signal.aborted) return;
    status.textContent = problem;
    shown.remove();
    const bubble = document.querySelector<HTMLElement>(`[data-id="${messageId}"]`);
    if (problem === null && bubble !== null) showPhoto(bubble, messageId);
  };
}

async function draw(canvas: HTMLCanvasElement, picture: Blob): Promise<void> {
  const bitmap = await createImageBitmap(picture);
  const scale = Math.min(1, PREVIEW / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
}

/** Insufficient Storage (RFC 4918): a retry does not help. */
const NO_ROOM = 507;

interface Upload {
  readonly bar: HTMLProgressElement;
  readonly signal: AbortSignal;
}

/** Retries for as long as a finder may wait. Returns why the photo was not sent, in words for the finder, or null. */
async function post(path: string, body: Blob, { bar, signal }: Upload): Promise<string | null> {
  const send = fetchWithProgress({
    signal,
    onProgress(share) {
      bar.value = share;
    },
  });
  for (let attempt = 0; ; attempt += 1) {
    bar.removeAttribute('value');
    try {
      const response = await send(path, { method: 'POST', body, headers: { 'Content-Type': body.type } });
      if (response.ok) return null;
      // The server's route says to each refusal what is wrong.
      if (response.status < 500 || response.status === NO_ROOM)
        return ((await response.json()) as { problem: string }).problem;
    } catch {
      if (signal.aborted) return null;
    }
    const wait = WAITS_MS.shown[attempt];
    if (wait === undefined) return texts.busy;
    await (navigator.onLine ? pause(wait) : untilOnline(signal));
  }
}
