import type { ReactNode } from 'react';
import { classNames } from '#app/ui/class-names.ts';

/** Returns the classes of an input. An invalid input has a red border. */
export function inputLook(invalid: boolean): string {
  return classNames(
    'min-h-13 w-full rounded-md border bg-surface px-4 py-2 text-base text-ink placeholder:text-ink-soft',
    'transition-[border-color] hover:border-primary',
    invalid ? 'border-danger' : 'border-line-strong',
  );
}

/** Attributes of an input, by which its label, hint and error are announced. */
interface FieldControl {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Shown at the end of the label's line. */
  readonly aside?: ReactNode;
  readonly children: (control: FieldControl) => ReactNode;
}

/** A labeled input with a hint, and its error in red below. */
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
