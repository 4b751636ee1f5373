import { ChevronDown } from 'lucide-react';
import { type InputHTMLAttributes, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from './field.tsx';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  /** What the browser may fill in; `off` for what it cannot know. */
  readonly autoComplete: string;
  /** What the Enter key of a touch keyboard does. */
  readonly enterKeyHint: NonNullable<InputHTMLAttributes<HTMLInputElement>['enterKeyHint']>;
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

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string;
}

/** A choice among a few options, as a native `<select>` with the app's own arrow: browsers put theirs on the border. */
export function SelectField({ label, children, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <Field id={select.id ?? id} label={label}>
      {(control) => (
        <span className="relative block">
          <select {...select} {...control} className={classNames(inputLook(false), 'appearance-none pe-11')}>
            {children}
          </select>
          <ChevronDown
            className="pointer-events-none absolute inset-y-0 end-4 my-auto size-4 text-ink-soft"
            aria-hidden="true"
          />
        </span>
      )}
    </Field>
  );
}

interface TextAreaFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  /** What the browser may fill in; `off` for what it cannot know. */
  readonly autoComplete: string;
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
