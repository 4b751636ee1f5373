import { type ReactNode, useState } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { PasswordField } from '#app/ui/password-field.tsx';

interface CurrentPasswordFieldProps {
  readonly label: string;
  readonly name: string;
  readonly error: string | undefined;
  readonly onEdit: () => void;
  readonly aside?: ReactNode;
}

/** A password that somebody has already. */
export function CurrentPasswordField({ label, name, error, onEdit, aside }: CurrentPasswordFieldProps) {
  const { auth } = useMessages();
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
      required
      onChange={onEdit}
      error={error}
      aside={aside}
    />
  );
}
