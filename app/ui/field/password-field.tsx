import { Eye, EyeOff } from 'lucide-react';
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from './field.tsx';

interface PasswordFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  readonly autoComplete: 'current-password' | 'new-password';
  /** What the Enter key of a touch keyboard does. */
  readonly enterKeyHint: NonNullable<InputHTMLAttributes<HTMLInputElement>['enterKeyHint']>;
  readonly ref?: Ref<HTMLInputElement>;
  readonly label: string;
  readonly showLabel: string;
  readonly hideLabel: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly aside?: ReactNode;
  readonly shown: boolean;
  readonly onShownChange: (shown: boolean) => void;
}

/** A password field with a button to show and hide it. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, showLabel, hideLabel, hint, error, aside, shown, onShownChange, ...input } = props;
  const id = useId();
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field id={input.id ?? id} label={label} hint={hint} error={error} aside={aside}>
      {(control) => (
        <div className="relative" dir="ltr">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            className={classNames(inputLook(error !== undefined), 'pe-14', shown && 'font-mono')}
          />
          <button
            type="button"
            aria-label={shown ? hideLabel : showLabel}
            onClick={() => onShownChange(!shown)}
            className="absolute inset-y-0 end-0.5 my-auto grid size-12 place-content-center rounded-md text-ink-soft hover:text-primary"
          >
            <Icon className="size-5" aria-hidden="true" />
          </button>
        </div>
      )}
    </Field>
  );
}
