import { type Ref, useId } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field.tsx';
import { countCharacters, messageLengthState } from '#domain/count-characters.ts';
import { trimMessage } from '#domain/trim-message.ts';
import { fitField } from './fit-field.ts';
import { MESSAGE_LENGTH_LOOK } from './message-length-look.ts';

interface CountedTextAreaProps {
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** In code points, of the text without the blanks around it. */
  readonly limit: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text of a bounded length, with a counter that turns amber near the bound and red at it. No more is let in. */
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
          placeholder={placeholder}
          value={value}
          // Before React has it, which would put the caret at the end.
          onChange={({ target }) => onChange(fitField(target, limit))}
          className={classNames(inputLook(false), 'field-sizing-content max-h-64 resize-y py-3')}
        />
      )}
    </Field>
  );
}
