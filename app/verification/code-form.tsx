import { type ReactNode, useState } from 'react';
import { useForm } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { OneTimeCodeField } from '#app/ui/field/one-time-code-field.tsx';
import { readOneTimeCode } from '#domain/account/read-one-time-code.ts';
import { isOneTimeCode, ONE_TIME_CODE_LENGTH } from '#domain/account/validate-credentials.ts';
import type { CodeRefusal } from './sent-code.ts';

interface CodeFormProps {
  readonly label: string;
  /** The button's label, and its label while the action is in progress. */
  readonly action: string;
  readonly acting: string;
  /** Whether the field takes the focus when it appears. */
  readonly focusesItself?: boolean;
  /** Tries the code. Returns why it was refused, or null. */
  readonly send: (code: string) => Promise<CodeRefusal | string | null>;
  readonly children?: ReactNode;
}

/** A field for a 6-digit code with a button. The code's error is shown below it. */
export function CodeForm({ label, action, acting, focusesItself = true, send, children }: CodeFormProps) {
  const { validation, verification } = useSignInTexts();
  const [code, setCode] = useState('');
  const [advice, setAdvice] = useState<string | null>(null);
  const { frame, errors, edited, busy } = useForm({
    fields: ['code'],
    check: (form) => (isOneTimeCode(form.code) ? {} : { code: validation.invalidCode }),
    send: async (form) => {
      const refused = await send(form.code);
      if (refused === null) return null;
      const { text, advice } = typeof refused === 'string' ? { text: refused, advice: null } : refused;
      setAdvice(advice);
      return { code: text };
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
        read={readOneTimeCode}
        onChange={(typed) => {
          setCode(typed);
          setAdvice(null);
          edited('code');
        }}
        error={errors.code}
        advice={advice ?? undefined}
        disabled={busy}
        focusesItself={focusesItself}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={code.length < ONE_TIME_CODE_LENGTH}>
        {busy ? acting : action}
      </Button>
      {/* A code that is sent meanwhile would be taken for the one that is being checked. */}
      <fieldset disabled={busy} className="contents">
        {children}
      </fieldset>
    </Form>
  );
}
