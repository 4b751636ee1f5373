import { readPictureFile } from '#app/decode/read-picture-file.ts';
import { partOf, sayIn, showPart } from './parts.ts';

interface PictureOptions {
  readonly onText: (text: string) => void;
  /** Aborted when the scanner closes. */
  readonly signal: AbortSignal;
}

/** Reads a code from a picture file: a photo of the sticker, or a received picture. */
export function runPictures(dialog: HTMLDialogElement, { onText, signal }: PictureOptions): void {
  const button = partOf(dialog, 'picture');
  const text = partOf(dialog, 'picture-text');
  const name = text.textContent;
  const input = dialog.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null || !(button instanceof HTMLButtonElement)) throw new Error('The scanner takes no pictures.');

  const showBusy = (isBusy: boolean) => {
    button.disabled = isBusy;
    button.ariaBusy = isBusy ? 'true' : null;
    showPart(dialog, 'picture-spinner', isBusy);
    showPart(dialog, 'picture-icon', !isBusy);
    text.textContent = isBusy ? (text.dataset.busy ?? '') : name;
  };
  const read = async (file: File) => {
    const hadFocus = document.activeElement === button;
    showBusy(true);
    sayIn(dialog, 'picture-problem', '');
    const found = await readPictureFile(file, dialog.dataset.scanner ?? '').catch(() => undefined);
    showBusy(false);
    if (signal.aborted) return;
    if (hadFocus) button.focus();
    if (found == null) sayIn(dialog, 'picture-problem', found === null ? 'empty' : 'unreadable');
    else onText(found);
  };
  sayIn(dialog, 'picture-problem', '');
  button.addEventListener('click', () => input.click(), { signal });
  input.addEventListener(
    'change',
    () => {
      const [file] = input.files ?? [];
      if (file !== undefined) void read(file);
      // Lets the same picture be chosen again.
      input.value = '';
    },
    { signal },
  );
}
