import type { ReactNode } from 'react';
import { classNames } from '#app/ui/class-names.ts';

interface Tile<Value extends string> {
  readonly value: Value;
  readonly name: string;
  readonly text?: string;
  readonly picture: ReactNode;
}

interface TileChoiceProps<Value extends string> {
  readonly legend: string;
  /** The name of the radio buttons. */
  readonly name: string;
  readonly tiles: readonly Tile<Value>[];
  readonly chosen: Value;
  readonly onChange: (value: Value) => void;
  readonly className?: string;
}

/** Radio buttons as tiles with a picture. */
export function TileChoice<Value extends string>(props: TileChoiceProps<Value>) {
  const { legend, name, tiles, chosen, onChange, className } = props;
  return (
    <fieldset className={classNames('grid min-w-0 gap-2', className)}>
      <legend className="sr-only">{legend}</legend>
      {tiles.map(({ value, name: label, text, picture }) => (
        <label
          key={value}
          className={classNames(
            'flex min-h-12 cursor-pointer items-center gap-3 rounded-md border px-4 py-2.5 transition-[border-color,background-color]',
            'has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
            value === chosen
              ? 'border-primary bg-primary-soft forced-colors:border-4 forced-colors:border-[Highlight]'
              : 'border-line-strong bg-surface hover:border-primary',
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => onChange(value)}
            className="size-5 shrink-0 accent-primary"
          />
          {picture}
          <span className="flex min-w-0 flex-col">
            <span className="font-semibold leading-snug">{label}</span>
            {text !== undefined && <span className="text-ink-soft text-sm leading-snug">{text}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
