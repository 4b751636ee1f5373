import { readTypedSticker, type StickerCode } from '#domain/tag-code/read-scanned-value.ts';
import type { TypedCodeProblem } from '#domain/tag-code/typed-code.ts';
import { slipIn } from '../slip-in.ts';
import { partOf } from './parts.ts';
import { SLIP_CHARACTER, type SlipTexts } from './slip-texts.ts';

interface TypingOptions {
  readonly onSticker: (sticker: StickerCode) => void;
  /** Aborted when the scanner closes. */
  readonly signal: AbortSignal;
}

/** Reads what is typed into the form: a code or a link. Returns a function that empties it and gives it the focus. */
export function runTyping(dialog: HTMLDialogElement, { onSticker, signal }: TypingOptions): () => void {
  const form = partOf(dialog, 'form');
  const input = form.querySelector('input');
  const button = form.querySelector('button');
  const problem = form.querySelector('#scanner-code-problem');
  if (input === null || button === null || problem === null) throw new Error('The scanner has no form.');
  // `plain-typing.tsx` writes this value with this type.
  const slips = JSON.parse(form.dataset.slips ?? '{}') as SlipTexts;

  const say = (text: string) => {
    problem.textContent = text;
    input.ariaInvalid = text === '' ? null : 'true';
    button.disabled = input.value.trim() === '';
  };
  input.addEventListener('input', () => say(''), { signal });
  form.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      const sticker = readTypedSticker(input.value);
      if (sticker !== null) return onSticker(sticker);
      const slip = slipIn(input.value.trim());
      say(slip === null ? slips.other : textOf(slip, slips));
    },
    { signal },
  );
  return () => {
    input.value = '';
    say('');
    input.focus();
  };
}

function textOf(slip: TypedCodeProblem, slips: SlipTexts): string {
  switch (slip.kind) {
    case 'empty':
      return slips.empty;
    case 'mistyped':
      return slips.mistyped;
    case 'character':
      return slips.character.replace(SLIP_CHARACTER, () => slip.character);
    default:
      return slips.lengths[slip.characters] ?? slips.other;
  }
}
