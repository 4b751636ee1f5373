import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The look of whatever one types into. A refused field gets a red border. */
export function inputLook(invalid: boolean): string {
  return classNames(
    'min-h-13 w-full rounded-md border bg-surface px-4 py-2 text-base text-ink placeholder:text-ink-soft',
    'transition-[border-color] hover:border-primary',
    invalid ? 'border-danger' : 'border-line-strong',
  );
}

/** What an input must carry so that its label, hint and error are announced with it. */
interface FieldControl {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Stands at the end of the label's line. */
  readonly aside?: ReactNode;
  readonly children: (control: FieldControl) => ReactNode;
}

/** A labelled input with a hint, and its error in red underneath. */
export function Field({ id, label, hint, error, aside, children }: FieldProps) {
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-invalid': error !== undefined || undefined, 'aria-describedby': described || undefined })}
      {error !== undefined && (
        <p id={`${id}-error`} className="font-medium text-danger text-sm">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-ink-soft text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}
