import { type SelectHTMLAttributes, useId } from 'react';
import { Field, inputLook } from './field.tsx';

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string;
}

/** One of a few, in the browser's own list. */
export function SelectField({ label, children, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label}>
      {(control) => (
        <select {...select} {...control} className={inputLook(false)}>
          {children}
        </select>
      )}
    </Field>
  );
}
