import { memo, type ReactNode } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { ItemPicture } from '#app/item/item-picture.tsx';
import { useItemSearch } from '#app/item/item-search.tsx';
import { VoidCodeNotice } from '#app/item/sticker/void-code-notice.tsx';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { useStickerTexts } from '../use-sticker-texts.ts';
import { type ItemStickers, isVoid } from './item-stickers.ts';

interface ItemChoiceProps {
  readonly items: readonly ItemStickers[];
  /** The codes of the chosen stickers. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  /** The code that the owner came from. */
  readonly from: string | null;
}

/**
 * A list of the stickers of the owner's items, to choose those that are printed. Void ones are listed with their reason.
 * It may be long, and typing a line on the same screen does not render it again.
 */
export const ItemChoice = memo(({ items, chosen, onChange, from }: ItemChoiceProps) => {
  const texts = useStickerTexts();
  const { found, field } = useItemSearch(
    items.map(({ item }) => item),
    texts.searchItems,
  );
  const shown = new Set(found);
  const stickers = items.flatMap((item) => item.stickers);
  const working = stickers.filter((sticker) => !isVoid(sticker));
  const count = working.filter(({ code }) => chosen.has(code)).length;
  const wanted = stickers.find(({ code }) => code === from);
  const toggle = (code: string) => {
    const next = new Set(chosen);
    if (!next.delete(code)) next.add(code);
    onChange(next);
  };
  return (
    <div className="flex flex-col gap-3">
      {wanted?.voidReason && <VoidCodeNotice reason={wanted.voidReason} />}
      {field}
      <fieldset className="max-h-96 min-w-0 overflow-y-auto rounded-md border border-line-strong">
        <legend className="sr-only">{texts.itemsLegend}</legend>
        {items
          .filter(({ item }) => shown.has(item))
          .flatMap(({ item, stickers: ofItem }) =>
            ofItem.map(({ code, voidReason }, index) => (
              <StickerOption
                key={code}
                name={texts.stickerOf(item.itemName, index + 1)}
                code={ofItem.length > 1 ? code : null}
                voidReason={voidReason}
                checked={chosen.has(code)}
                onToggle={() => toggle(code)}
              >
                {index === 0 ? <ItemPicture item={item} size="row" /> : null}
              </StickerOption>
            )),
          )}
        {found.length === 0 && <p className="px-4 py-3 text-ink-soft text-sm">{texts.noItemFound}</p>}
      </fieldset>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-ink-soft text-sm" role="status">
          {texts.chosen({ count, all: working.length })}
        </p>
        {working.length > 1 && (
          <Button
            variant="quiet"
            onClick={() => onChange(new Set(count < working.length ? working.map(({ code }) => code) : []))}
          >
            {count < working.length ? texts.chooseAll : texts.chooseNone}
          </Button>
        )}
      </div>
    </div>
  );
});

interface StickerOptionProps {
  readonly name: string;
  /** Shown beside the name, where the item has several stickers. */
  readonly code: string | null;
  readonly voidReason: string | null;
  readonly checked: boolean;
  readonly onToggle: () => void;
  /** The item's picture, beside its first sticker. */
  readonly children: ReactNode;
}

function StickerOption({ name, code, voidReason, checked, onToggle, children }: StickerOptionProps) {
  const { item } = useTexts();
  const isStopped = voidReason !== null;
  return (
    <label
      className={classNames(
        'flex items-center gap-3 border-line px-3 py-2 not-last:border-b has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:-outline-offset-3',
        isStopped ? 'text-ink-soft' : 'cursor-pointer hover:bg-sunken',
      )}
    >
      <input
        type="checkbox"
        checked={checked && !isStopped}
        disabled={isStopped}
        onChange={onToggle}
        className="size-5 shrink-0 accent-primary"
      />
      {children ?? <span className="w-12 shrink-0" />}
      <span className="flex min-w-0 flex-col">
        <bdi className="wrap-anywhere font-medium">{name}</bdi>
        {code !== null && (
          <span translate="no" dir="ltr" className="w-fit font-mono text-ink-soft text-xs">
            {typedCodeOf(code)}
          </span>
        )}
        {isStopped && <span className="wrap-anywhere text-sm">{item.voidCodeReason(isolateName(voidReason))}</span>}
      </span>
    </label>
  );
}
