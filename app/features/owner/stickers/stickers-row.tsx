import { QrCode } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { ItemRow } from '#app/item/item-row.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { SCAN_HASH } from '#domain/tag-code/scan-address.ts';
import { itemPageWords } from '#words/item-page.ts';
import type { ItemStickers } from './item-stickers.tsx';

const loadStickers = loadOnce(async () => (await import('./item-stickers.tsx')).ItemStickers);

/** The item's stickers. A link that opens their scanner opens the row. */
export function StickersRow(props: Omit<ComponentProps<typeof ItemStickers>, 'title'>) {
  const { item, stickers } = props;
  const texts = itemPageWords(useLanguage()).rows;
  const state = item.needsSticker ? texts.notScanned : texts.stickerCount(stickers.length);
  return (
    <ItemRow
      id="stickers"
      opensAt={[SCAN_HASH]}
      icon={QrCode}
      title={texts.stickers}
      summary={item.voidReason === null ? state : texts.voidSticker}
      load={loadStickers}
    >
      {(Stickers, title) => <Stickers {...props} title={title} />}
    </ItemRow>
  );
}
