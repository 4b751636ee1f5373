import { OTPField } from '@base-ui/react/otp-field';
import { type ClipboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { classNames } from '#app/ui/class-names.ts';

interface OneTimeCodeFieldProps {
  readonly label: string;
  /** The field's name in the form. */
  readonly name?: string;
  /** Labels the boxes after the first, which has the field's label. */
  readonly digitLabel: (words: { readonly position: number; readonly length: number }) => string;
  readonly length: number;
  readonly value: string;
  /** Returns the digits in a text. */
  readonly read: (text: string) => string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  /** What to do about the error, below it. */
  readonly advice?: string | undefined;
  readonly disabled?: boolean;
  /** Whether it takes the focus when it appears, as on a screen of its own. */
  readonly focusesItself?: boolean;
}

/**
 * A code input with one box per digit. A code that is pasted, also with spaces, or suggested by the phone fills all
 * boxes. Its last digit submits the form, also where a refused code is typed again over the former one.
 */
export function OneTimeCodeField(props: OneTimeCodeFieldProps) {
  const {
    label,
    name,
    digitLabel,
    length,
    value,
    read,
    onChange,
    error,
    advice,
    disabled = false,
    focusesItself = true,
  } = props;
  const id = useId();
  // How often a code was completed. Submitted after the render that has its last digit.
  const [completions, setCompletions] = useState(0);
  const complete = () => setCompletions((count) => count + 1);
  const submit = useEffectEvent(() => {
    if (disabled || value.length !== length) return;
    const box = document.getElementById(id);
    if (box instanceof HTMLInputElement) box.form?.requestSubmit();
  });
  useEffect(() => {
    if (completions > 0) submit();
  }, [completions]);
  // The field would remove the spaces between the numbers of a pasted message.
  const paste = (event: ClipboardEvent) => {
    const pasted = read(event.clipboardData.getData('text'));
    if (disabled || pasted.length !== length) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(pasted);
    complete();
  };
  const change = (typed: string) => {
    onChange(typed);
    if (typed.length === length && value.length < length) complete();
  };
  const advised = error !== undefined && advice !== undefined;

  // Its screen often replaces a form that had the focus.
  useEffect(() => {
    if (focusesItself) document.getElementById(id)?.focus();
  }, [id, focusesItself]);

  // It loses the focus while disabled, and a refused code is typed again.
  const refused = error !== undefined && !disabled;
  useEffect(() => {
    if (refused) document.getElementById(id)?.focus();
  }, [id, refused]);

  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      {/* Digits are written left to right in every language. */}
      <div dir="ltr">
        <OTPField.Root
          id={id}
          {...(name !== undefined && { name })}
          length={length}
          value={value}
          onValueChange={change}
          // The screen's own reading knows the digits of every keyboard.
          validationType="none"
          inputMode="numeric"
          normalizeValue={read}
          onPasteCapture={paste}
          disabled={disabled}
          aria-describedby={error === undefined ? undefined : advised ? `${id}-error ${id}-advice` : `${id}-error`}
          className="grid w-full max-w-96 grid-cols-6 gap-1.5 sm:gap-2.5"
        >
          {Array.from({ length }, (_, index) => (
            <OTPField.Input
              // biome-ignore lint/suspicious/noArrayIndexKey: a box is its position
              key={index}
              aria-label={index === 0 ? undefined : digitLabel({ position: index + 1, length })}
              // Typed over a complete code, the last digit may be the former one, which changes no value.
              onInput={index === length - 1 ? complete : undefined}
              onKeyDown={({ key }) => index === length - 1 && read(key) === value[index] && complete()}
              aria-invalid={error !== undefined || undefined}
              className={classNames(
                'h-14 w-full min-w-0 rounded-md border bg-surface text-center font-semibold text-ink text-xl',
                error === undefined ? 'border-line-strong' : 'border-danger',
              )}
            />
          ))}
        </OTPField.Root>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="font-medium text-danger text-sm">
          {error}
        </p>
      )}
      {advised && (
        <p id={`${id}-advice`} className="text-ink-soft text-sm">
          {advice}
        </p>
      )}
    </div>
  );
}
