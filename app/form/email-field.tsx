import { useMessages } from '#app/lib/use-messages.ts';
import { TextField } from '#app/ui/text-field.tsx';

interface EmailFieldProps {
  readonly error: string | undefined;
  readonly onEdit: () => void;
  readonly hint?: string;
  readonly defaultValue?: string;
}

/** The e-mail address of an account, `email` in its form. Password managers keep it as the name that goes with the password. */
export function EmailField({ error, onEdit, hint, defaultValue }: EmailFieldProps) {
  const { auth } = useMessages();
  return (
    <TextField
      label={auth.email}
      type="email"
      name="email"
      autoComplete="username"
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
