import { type ReactNode, type Ref, useId } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { countCharacters, messageLengthState } from '#domain/contact/count-characters.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { enforceMaxLength, MESSAGE_LENGTH_LOOK } from './message-length.ts';

interface CountedTextAreaProps {
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  /** In code points, without surrounding blanks. */
  readonly limit: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * A text area with a length limit and a counter that turns amber near the limit and red at it. Input beyond the limit
 * is cut off.
 */
export function CountedTextArea({ ref, label, hint, placeholder, limit, value, onChange }: CountedTextAreaProps) {
  const id = useId();
  const length = countCharacters(trimMessage(value));
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      aside={
        <span className={classNames('text-xs tabular-nums', MESSAGE_LENGTH_LOOK[messageLengthState(length, limit)])}>
          {length}/{limit}
        </span>
      }
    >
      {(control) => (
        <textarea
          {...control}
          ref={ref}
          rows={3}
          autoComplete="off"
          placeholder={placeholder}
          value={value}
          // Before React handles the value, which would move the caret to the end.
          onChange={({ target }) => onChange(enforceMaxLength(target, limit))}
          className={classNames(inputLook(false), 'field-sizing-content max-h-64 resize-y py-3')}
        />
      )}
    </Field>
  );
}
