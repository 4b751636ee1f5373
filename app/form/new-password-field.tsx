import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { PasswordField } from '#app/ui/field/password-field.tsx';
import { generatePassword } from '#domain/account/generate-password.ts';

interface NewPasswordFieldProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly onEdit: () => void;
  readonly defaultValue?: string;
}

/** A field for a new password, named `password` in its form, with a button that suggests a strong one. */
export function NewPasswordField({ label, error, onEdit, defaultValue }: NewPasswordFieldProps) {
  const { auth } = useSignInTexts();
  const { passwordLength } = usePublicConfig();
  const input = useRef<HTMLInputElement>(null);
  const [suggested, setSuggested] = useState(false);
  const [shown, setShown] = useState(false);
  const hint = suggested ? auth.passwordSuggested : auth.passwordHint(passwordLength);

  const suggest = () => {
    if (input.current === null) return;
    input.current.value = generatePassword((bytes) => crypto.getRandomValues(bytes), passwordLength);
    onEdit();
    setSuggested(true);
    // Shown, so that the user can read it, and save it where the browser does not offer to.
    setShown(true);
  };

  return (
    <div className="flex flex-col gap-2">
      <PasswordField
        ref={input}
        label={label}
        showLabel={auth.showPassword}
        hideLabel={auth.hidePassword}
        hint={error === undefined ? hint : undefined}
        name="password"
        autoComplete="new-password"
        enterKeyHint="done"
        required
        defaultValue={defaultValue}
        shown={shown}
        onShownChange={setShown}
        onChange={() => {
          onEdit();
          setSuggested(false);
        }}
        error={error}
      />
      <Button variant="quiet" onClick={suggest} className="-ms-3 self-start px-3! text-sm!">
        <KeyRound className="size-4" aria-hidden="true" />
        {auth.suggestPassword}
      </Button>
    </div>
  );
}
