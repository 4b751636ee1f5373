import type { Item } from '#app/data/items.ts';
import { ItemPicture } from '#app/item/item-picture.tsx';
import { useItemSearch } from '#app/item/item-search.tsx';
import { Button } from '#app/ui/button.tsx';
import { useStickerTexts } from './use-sticker-texts.ts';

interface ItemChoiceProps {
  readonly items: readonly Item[];
  /** The ids of the chosen items. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** A list of the owner's items, to choose those that get a sticker. */
export function ItemChoice({ items, chosen, onChange }: ItemChoiceProps) {
  const texts = useStickerTexts();
  const { found, field } = useItemSearch(items, texts.searchItems);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <div className="flex flex-col gap-3">
      {field}
      <fieldset className="max-h-96 min-w-0 overflow-y-auto rounded-md border border-line-strong">
        <legend className="sr-only">{texts.itemsLegend}</legend>
        {found.map((item) => (
          <label
            key={item.id}
            className="flex cursor-pointer items-center gap-3 border-line px-3 py-2 not-last:border-b has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:-outline-offset-3 hover:bg-sunken"
          >
            <input
              type="checkbox"
              checked={chosen.has(item.id)}
              onChange={() => toggle(item.id)}
              className="size-5 shrink-0 accent-primary"
            />
            <ItemPicture item={item} size="row" />
            <span className="wrap-anywhere min-w-0 font-medium">{item.itemName}</span>
          </label>
        ))}
        {found.length === 0 && <p className="px-4 py-3 text-ink-soft text-sm">{texts.noItemFound}</p>}
      </fieldset>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-ink-soft text-sm" role="status">
          {texts.chosen(chosen.size, items.length)}
        </p>
        {items.length > 1 && (
          <Button
            variant="quiet"
            onClick={() => onChange(new Set(chosen.size < items.length ? items.map(({ id }) => id) : []))}
          >
            {chosen.size < items.length ? texts.chooseAll : texts.chooseNone}
          </Button>
        )}
      </div>
    </div>
  );
}
