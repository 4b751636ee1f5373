import type { SelectHTMLAttributes } from 'react';
import { Field, inputLook } from '#app/ui/field/field.tsx';

interface PlainSelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly id: string;
  readonly label: string;
  readonly invalid?: boolean;
}

/** A choice among a few options with the browser's own arrow: that of `SelectField` needs more styles than it is worth here. */
export function PlainSelect({ label, invalid = false, children, ...select }: PlainSelectProps) {
  return (
    <Field id={select.id} label={label}>
      {(control) => (
        <select {...select} {...control} className={inputLook(invalid)}>
          {children}
        </select>
      )}
    </Field>
  );
}
