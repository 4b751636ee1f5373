import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { TextField } from '#app/ui/field/fields.tsx';

interface EmailFieldProps {
  readonly error: string | undefined;
  readonly onEdit: () => void;
  readonly hint?: string;
  readonly defaultValue?: string;
  readonly enterKeyHint?: 'next' | 'send';
  /** Whether the browser may suggest passkeys here. */
  readonly suggestsPasskeys?: boolean;
}

/** A field for an account's email address, named `email` in its form. Password managers store it as the user name. */
export function EmailField({
  error,
  onEdit,
  hint,
  defaultValue,
  enterKeyHint = 'next',
  suggestsPasskeys = false,
}: EmailFieldProps) {
  const { auth } = useSignInTexts();
  return (
    <TextField
      label={auth.email}
      type="email"
      inputMode="email"
      enterKeyHint={enterKeyHint}
      name="email"
      autoComplete={suggestsPasskeys ? 'username webauthn' : 'username'}
      required
      dir="ltr"
      placeholder={auth.emailPlaceholder}
      defaultValue={defaultValue}
      onChange={onEdit}
      error={error}
      hint={hint}
    />
  );
}
