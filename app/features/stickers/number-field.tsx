import { useState } from 'react';
import { TextField } from '#app/ui/field/fields.tsx';

interface NumberFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Shown for anything but a number in the bounds. */
  readonly problem: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  /** Called for numbers in the bounds. */
  readonly onChange: (value: number) => void;
}

/** A field for a number in bounds. What is out of them stays as it is typed, and is not passed on. */
export function NumberField({ label, hint, problem, value, least, most, step, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState(String(value));
  const isValid = isNumber(typed, { least, most, step });
  return (
    <TextField
      label={label}
      hint={hint}
      error={isValid ? undefined : problem}
      inputMode={step < 1 ? 'decimal' : 'numeric'}
      autoComplete="off"
      enterKeyHint="done"
      dir="ltr"
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        if (isNumber(target.value, { least, most, step })) onChange(toNumber(target.value));
      }}
    />
  );
}

function isNumber(typed: string, { least, most, step }: Pick<NumberFieldProps, 'least' | 'most' | 'step'>): boolean {
  const number = toNumber(typed);
  const steps = number / step;
  return typed.trim() !== '' && number >= least && number <= most && Math.abs(steps - Math.round(steps)) < 1e-6;
}

/** Takes a comma as well, and the minus signs that phones write. */
function toNumber(typed: string): number {
  return Number(typed.trim().replace(',', '.').replace(/^[−–]/, '-'));
}
