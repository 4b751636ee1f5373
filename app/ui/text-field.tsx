import { type InputHTMLAttributes, useId } from 'react';
import { Field, inputLook } from './field.tsx';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <Field id={input.id ?? id} label={label} hint={hint} error={error}>
      {(control) => <input type="text" {...input} {...control} className={inputLook(error !== undefined)} />}
    </Field>
  );
}
