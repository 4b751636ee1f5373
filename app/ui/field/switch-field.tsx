import { Switch } from '@base-ui/react/switch';
import { useId } from 'react';

interface SwitchFieldProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A line with a switch at its end. A change takes effect at once. */
export function SwitchField({ label, checked, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className="flex min-h-12 items-center justify-between gap-4">
      <label htmlFor={id} className="flex-1 cursor-pointer py-2">
        {label}
      </label>
      <Switch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        className="relative inline-flex h-8 w-14 shrink-0 items-center cursor-pointer rounded-full bg-line-strong transition-[background-color] before:absolute before:-inset-2 data-checked:bg-primary forced-colors:border forced-colors:border-[ButtonText] forced-colors:data-checked:bg-[Highlight]"
      >
        <Switch.Thumb className="block size-6 translate-x-1 rounded-full bg-surface transition-[translate] data-checked:translate-x-7 rtl:-translate-x-1 rtl:data-checked:-translate-x-7 forced-colors:bg-[ButtonText] forced-colors:data-checked:bg-[HighlightText]" />
      </Switch.Root>
    </div>
  );
}
