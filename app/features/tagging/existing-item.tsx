import { useState } from 'react';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { clearStoredTagCode } from '#app/client/stored-tag-code.ts';
import type { Item } from '#app/data/items.ts';
import { type AttachRefusal, attachSticker, MOST_STICKERS } from '#app/data/stickers.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { ItemPicture } from '#app/item/item-picture.tsx';
import { useItemSearch } from '#app/item/item-search.tsx';
import { retryUntilOnline } from '#app/resilience/retry-until-online.ts';
import { Alert, Refusal } from '#app/ui/notice/alert.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { itemStickersWords } from '#words/item-stickers.ts';
import { taggingWords } from '#words/tagging.ts';

interface ExistingItemProps {
  readonly code: string;
  /** Newest first. */
  readonly items: readonly Item[];
  readonly onAttached: (item: Item) => void;
}

/** Puts the sticker on an item that the owner chooses, and retries until the service responds. */
export function ExistingItem({ code, items, onAttached }: ExistingItemProps) {
  const { common, itemEditing, toasts } = useTexts();
  const { tagging } = taggingWords(useLanguage());
  const stickerTexts = itemStickersWords(useLanguage());
  const { found, field } = useItemSearch(items, tagging.searchItems);
  const [state, setState] = useState<'idle' | 'busy' | 'waiting'>('idle');
  const [refusal, setRefusal] = useState<string | null>(null);

  const { withRecentProof, proofDialog } = useRecentProof();
  const refusals: Readonly<Record<AttachRefusal, string>> = {
    taken: tagging.alreadyTagged,
    notIssued: tagging.notIssued,
    itemFull: stickerTexts.itemFull(MOST_STICKERS),
    accountFull: stickerTexts.accountFull,
    itemGone: stickerTexts.itemGone,
  };
  const attach = async (item: Item) => {
    setState('busy');
    setRefusal(null);
    try {
      const outcome = await withRecentProof(() =>
        retryUntilOnline(
          withBrowserClient((client) => attachSticker(client, code, item.id)),
          () => setState('waiting'),
        ),
      );
      if (outcome === 'attached') {
        clearStoredTagCode();
        return onAttached(item);
      }
      setRefusal(refusals[outcome]);
    } catch {
      setRefusal(toasts.tagFailed);
    }
    setState('idle');
  };

  return (
    <div className="flex flex-col gap-3">
      {proofDialog}
      {field}
      <div className="empty:hidden">
        {refusal !== null && <Refusal text={refusal} />}
        {state === 'waiting' && <Alert tone="warning">{navigator.onLine ? itemEditing.waiting : common.offline}</Alert>}
      </div>
      <ul aria-label={tagging.yourItems} className="flex flex-col gap-2">
        {found.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              disabled={state !== 'idle'}
              onClick={() => void attach(item)}
              className="flex w-full items-center gap-3 rounded-md border border-line-strong bg-surface p-3 text-start transition-[border-color] hover:border-primary disabled:opacity-60"
            >
              <ItemPicture item={item} size="row" />
              <span className="wrap-anywhere min-w-0 font-medium">
                <bdi>{item.itemName}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-ink-soft text-sm">{tagging.noItemFound}</p>}
    </div>
  );
}
