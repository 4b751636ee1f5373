import { type TextareaHTMLAttributes, useId } from 'react';
import { classNames } from './class-names.ts';
import { Field, inputLook } from './field.tsx';

interface TextAreaFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

export function TextAreaField({ label, hint, error, ...input }: TextAreaFieldProps) {
  const id = useId();
  return (
    <Field id={input.id ?? id} label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          rows={3}
          {...input}
          {...control}
          className={classNames(inputLook(error !== undefined), 'field-sizing-content max-h-64 resize-y py-3')}
        />
      )}
    </Field>
  );
}
