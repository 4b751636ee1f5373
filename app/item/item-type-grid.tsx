import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import type { TaggingForm } from '#domain/item/describe-tagging.ts';
import { ITEM_TYPE_ROWS } from '#domain/item/item-catalogue.ts';
import { taggingWords } from '#words/tagging.ts';
import { ItemTypeTile } from './item-type-tile.tsx';

interface ItemTypeGridProps {
  readonly chosen: TaggingForm['chosen'];
  readonly onChoose: (chosen: NonNullable<TaggingForm['chosen']>) => void;
  readonly describedBy: string | undefined;
}

/** The catalogue in rows of 8, 8 and 4, and a custom type. Radio buttons styled as tiles. */
export function ItemTypeGrid({ chosen, onChoose, describedBy }: ItemTypeGridProps) {
  const { itemTypes } = useTexts();
  const { tagging } = taggingWords(useLanguage());
  return (
    <fieldset className="@container flex min-w-0 flex-col gap-2" aria-describedby={describedBy}>
      <legend className="sr-only">{tagging.types}</legend>
      {ITEM_TYPE_ROWS.map((row) => (
        <div key={row[0]} className="grid @min-[40rem]:grid-cols-8 grid-cols-4 gap-1 min-[360px]:gap-2">
          {row.map((type) => (
            <ItemTypeTile
              key={type}
              {...CELL}
              type={type}
              name={itemTypes[type]}
              chosen={chosen === type}
              onChoose={() => onChoose(type)}
            />
          ))}
        </div>
      ))}
      <ItemTypeTile
        {...BAR}
        type="custom"
        name={tagging.customItem}
        chosen={chosen === 'custom'}
        onChoose={() => onChoose('custom')}
      />
    </fieldset>
  );
}

const CELL = {
  look: 'min-h-20 flex-col gap-1.5 px-0.5 py-2 text-[0.6875rem] @max-[19rem]:px-0 @max-[19rem]:tracking-tighter @max-[17rem]:text-[0.625rem] @min-[21rem]:text-xs',
  cover: 'h-11 w-full',
  iconSize: 26,
};
const BAR = { look: 'min-h-13 gap-3 px-4 font-medium', cover: 'h-full w-16', iconSize: 22 };
