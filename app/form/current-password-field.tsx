import { type ReactNode, useState } from 'react';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { PasswordField } from '#app/ui/field/password-field.tsx';

interface CurrentPasswordFieldProps {
  readonly label: string;
  readonly name: string;
  readonly error: string | undefined;
  readonly onEdit: () => void;
  readonly aside?: ReactNode;
}

/** A field for an existing password. */
export function CurrentPasswordField({ label, name, error, onEdit, aside }: CurrentPasswordFieldProps) {
  const { auth } = useSignInTexts();
  const [shown, setShown] = useState(false);
  return (
    <PasswordField
      label={label}
      showLabel={auth.showPassword}
      hideLabel={auth.hidePassword}
      name={name}
      shown={shown}
      onShownChange={setShown}
      autoComplete="current-password"
      enterKeyHint="go"
      required
      onChange={onEdit}
      error={error}
      aside={aside}
    />
  );
}
