import { type ReactNode, useState } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';
import { OneTimeCodeField } from '#app/ui/one-time-code-field.tsx';
import { isOneTimeCode, ONE_TIME_CODE_LENGTH } from '#domain/validate-credentials.ts';
import { useForm } from './use-form.ts';

interface CodeFormProps {
  readonly label: string;
  /** On the button, and while it is at work. */
  readonly action: string;
  readonly acting: string;
  /** Whether the field takes the focus when it appears. */
  readonly focusesItself?: boolean;
  /** Tries the code. Answers with the sentence that refuses it, or null. */
  readonly send: (code: string) => Promise<string | null>;
  readonly children?: ReactNode;
}

/** A 6-digit code and a button. What is wrong with the code stands under it. */
export function CodeForm({ label, action, acting, focusesItself = true, send, children }: CodeFormProps) {
  const { validation, verification } = useMessages();
  const [code, setCode] = useState('');
  const { frame, errors, edited, busy } = useForm({
    fields: ['code'],
    check: (form) => (isOneTimeCode(form.code) ? {} : { code: validation.invalidCode }),
    send: async (form) => {
      const refused = await send(form.code);
      return refused === null ? null : { code: refused };
    },
  });

  return (
    <Form {...frame}>
      <OneTimeCodeField
        label={label}
        name="code"
        digitLabel={verification.digit}
        length={ONE_TIME_CODE_LENGTH}
        value={code}
        onChange={(typed) => {
          setCode(typed);
          edited('code');
        }}
        error={errors.code}
        disabled={busy}
        focusesItself={focusesItself}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={code.length < ONE_TIME_CODE_LENGTH}>
        {busy ? acting : action}
      </Button>
      {children}
    </Form>
  );
}
