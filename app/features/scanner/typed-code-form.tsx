import { type SubmitEvent, useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { readTypedSticker, type StickerCode } from '#domain/tag-code/read-scanned-value.ts';
import { isClaimableTagCode } from '#domain/tag-code/tag-code.ts';
import { typedCodeProblem } from '#domain/texts/typed-code-problem.ts';
import { typedCodeWords } from '#words/typed-code.ts';
import { slipIn } from './slip-in.ts';

/** `find` is for finders, `tag` for owners with a new item, `attach` for another sticker on an item. */
export type ScannerMode = 'find' | 'tag' | 'attach';

interface TypedCodeFormProps {
  readonly mode: ScannerMode;
  readonly onSticker: (sticker: StickerCode) => void;
}

/** The fallback: the code or the link printed on the sticker, typed or pasted. */
export function TypedCodeForm({ mode, onSticker }: TypedCodeFormProps) {
  const language = useLanguage();
  const { scanner } = language.texts;
  const { development } = usePublicConfig();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sticker = readTypedSticker(typed);
    // A development server lets any text be claimed; others only accept codes of ours.
    const accepted =
      sticker !== null &&
      (development || mode === 'find' || sticker.kind === 'typed-code' || isClaimableTagCode(sticker.code));
    if (accepted) return onSticker(sticker);
    const slip = slipIn(typed.trim());
    setProblem(slip === null ? scanner.codeInvalid : typedCodeProblem(slip, typedCodeWords(language)));
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={scanner.codeLabel}
        hint={scanner.codeHint}
        error={problem}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setProblem(undefined);
        }}
        dir="ltr"
        // The user opened this form to type into it.
        autoFocus
        autoCapitalize="none"
        autoComplete="off"
        enterKeyHint="go"
        autoCorrect="off"
        spellCheck={false}
      />
      <Button type="submit" disabled={typed.trim() === ''}>
        {scanner.continue}
      </Button>
    </form>
  );
}
