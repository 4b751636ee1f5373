import { useTexts } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import type { TaggingForm } from '#domain/item/describe-tagging.ts';
import { ITEM_TYPE_ROWS, type ItemType } from '#domain/item/item-catalogue.ts';
import type { Texts } from '#domain/texts/en.ts';
import { ItemIcon } from './item-icon.tsx';

interface ItemTypeGridProps {
  readonly chosen: TaggingForm['chosen'];
  readonly onChoose: (chosen: NonNullable<TaggingForm['chosen']>) => void;
  readonly describedBy: string | undefined;
}

/** The catalogue in rows of 8, 8 and 4, and a custom type. Radio buttons styled as tiles. */
export function ItemTypeGrid({ chosen, onChoose, describedBy }: ItemTypeGridProps) {
  const { itemTypes, tagging } = useTexts();
  return (
    <fieldset className="@container flex min-w-0 flex-col gap-2" aria-describedby={describedBy}>
      <legend className="sr-only">{tagging.types}</legend>
      {ITEM_TYPE_ROWS.map((row) => (
        <div key={row[0]} className="grid @min-[40rem]:grid-cols-8 grid-cols-4 gap-1 min-[360px]:gap-2">
          {row.map((type) => (
            <Tile
              key={type}
              type={type}
              name={itemTypes[type]}
              chosen={chosen === type}
              onChoose={() => onChoose(type)}
            />
          ))}
        </div>
      ))}
      <Tile
        type="custom"
        name={tagging.customItem}
        chosen={chosen === 'custom'}
        onChoose={() => onChoose('custom')}
        wide
      />
    </fieldset>
  );
}

interface TileProps {
  readonly type: NonNullable<TaggingForm['chosen']>;
  readonly name: string;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly wide?: boolean;
}

function Tile({ type, name, chosen, onChoose, wide = false }: TileProps) {
  return (
    <label
      className={classNames(
        'relative flex cursor-pointer items-center justify-center rounded-md border text-center transition-[border-color,background-color]',
        'has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
        wide
          ? 'min-h-13 gap-3 px-4 font-medium'
          : 'min-h-20 flex-col gap-1.5 px-0.5 py-2 text-[0.6875rem] @max-[19rem]:px-0 @max-[19rem]:tracking-tighter @max-[17rem]:text-[0.625rem] @min-[21rem]:text-xs',
        chosen
          ? 'border-primary bg-primary text-on-primary forced-colors:border-4 forced-colors:border-[Highlight]'
          : 'border-line-strong bg-surface hover:border-primary hover:text-primary',
      )}
    >
      <input
        type="radio"
        name="item-type"
        value={type}
        checked={chosen}
        onChange={onChoose}
        className={classNames('absolute start-0 top-0 cursor-pointer opacity-0', wide ? 'h-full w-16' : 'h-11 w-full')}
      />
      <ItemIcon type={type} size={wide ? 22 : 26} />
      <span className="max-w-full leading-tight">{name}</span>
    </label>
  );
}

/** Returns the name of a type. */
export function typeName(type: ItemType, { itemTypes, otherItemTypes }: Texts): string {
  return type === 'custom' || type === 'other' ? otherItemTypes[type] : itemTypes[type];
}
