import { useEffect, useRef } from 'react';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { ItemTypeTile } from '#app/item/item-type-tile.tsx';
import { type CatalogueItemType, ITEM_TYPES } from '#domain/item/item-catalogue.ts';
import { taggingWords } from '#words/tagging.ts';

interface TypeTilesProps {
  readonly chosen: CatalogueItemType | 'custom' | null;
  readonly onChoose: (chosen: CatalogueItemType | 'custom') => void;
  readonly describedBy: string | undefined;
}

/** The catalogue, in rows that one swipes on a phone. */
export function TypeTiles({ chosen, onChoose, describedBy }: TypeTilesProps) {
  const { itemTypes } = useTexts();
  const { tagging } = taggingWords(useLanguage());
  const tiles = useRef<HTMLDivElement>(null);
  // After a reload, the chosen one may be beyond the edge.
  useEffect(() => {
    tiles.current?.querySelector('input:checked')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <fieldset className="min-w-0" aria-describedby={describedBy}>
      <legend className="sr-only">{tagging.types}</legend>
      <div
        ref={tiles}
        className="-mx-4 grid auto-cols-[23%] grid-flow-col grid-rows-2 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:grid-flow-row sm:auto-cols-auto sm:grid-cols-7 sm:grid-rows-none sm:overflow-visible sm:px-0 [@media(min-height:48rem)]:grid-rows-3 sm:[@media(min-height:48rem)]:grid-rows-none"
      >
        {([...ITEM_TYPES, 'custom'] as const).map((type) => (
          <ItemTypeTile
            key={type}
            type={type}
            name={type === 'custom' ? tagging.customItem : itemTypes[type]}
            chosen={chosen === type}
            onChoose={() => onChoose(type)}
            look="min-h-16 flex-col gap-1 py-1.5 text-[0.75rem] sm:text-[0.6875rem]"
            cover="size-full"
            iconSize={24}
            nameLook="wrap-anywhere"
          />
        ))}
      </div>
    </fieldset>
  );
}
