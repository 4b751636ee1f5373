import { type SubmitEvent, useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { readScannedValue } from '#domain/tag-code/read-scanned-value.ts';
import { isClaimableTagCode, NEW_ITEM } from '#domain/tag-code/tag-code.ts';

/** `find` is for finders, `tag` for owners who attach a sticker. */
export type ScannerMode = 'find' | 'tag';

interface TypedCodeFormProps {
  readonly mode: ScannerMode;
  readonly onCode: (code: string) => void;
}

/** The fallback: the code printed on the sticker, typed or pasted. */
export function TypedCodeForm({ mode, onCode }: TypedCodeFormProps) {
  const { scanner } = useTexts();
  const { development } = usePublicConfig();
  const [typed, setTyped] = useState('');
  const [invalid, setInvalid] = useState(false);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = readScannedValue(typed);
    // A development server lets any text be claimed; others only accept codes of ours.
    const accepted = code !== null && code !== NEW_ITEM && (development || mode === 'find' || isClaimableTagCode(code));
    setInvalid(!accepted);
    if (accepted) onCode(code);
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={scanner.codeLabel}
        hint={scanner.codeHint}
        error={invalid ? scanner.codeInvalid : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setInvalid(false);
        }}
        dir="ltr"
        // The user opened this form to type into it.
        autoFocus
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
      />
      <Button type="submit" disabled={typed.trim() === ''}>
        {scanner.continue}
      </Button>
    </form>
  );
}
