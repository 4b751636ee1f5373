import { type Ref, useId } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field.tsx';
import { countCharacters, messageLengthState } from '#domain/count-characters.ts';
import { fitTyped } from '#domain/fit-typed.ts';
import { trimMessage } from '#domain/trim-message.ts';
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
          onChange={({ target }) => {
            const { text, caret } = fitTyped(target.value, target.selectionEnd, limit);
            if (text !== target.value) {
              // Where React put it in, the caret would jump to the end.
              target.value = text;
              target.setSelectionRange(caret, caret);
            }
            onChange(text);
          }}
          className={classNames(inputLook(false), 'field-sizing-content max-h-64 resize-y py-3')}
        />
      )}
    </Field>
  );
}
