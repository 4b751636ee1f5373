import { type SubmitEvent, useState } from 'react';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { readScannedValue } from '#domain/read-scanned-value.ts';
import { isClaimableTagCode, NEW_ITEM } from '#domain/tag-code.ts';
import type { ScannerMode } from './scanner-mode.ts';

interface TypedCodeFormProps {
  readonly mode: ScannerMode;
  readonly onCode: (code: string) => void;
}

/** The last resort: what is printed on the sticker, typed or pasted. */
export function TypedCodeForm({ mode, onCode }: TypedCodeFormProps) {
  const { scanner } = useMessages();
  const { development } = usePublicConfig();
  const [typed, setTyped] = useState('');
  const [invalid, setInvalid] = useState(false);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = readScannedValue(typed);
    // A development server lets any word be claimed; every other refuses to tag with what is not a code of ours.
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
        // It is what the button that led here is for.
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
