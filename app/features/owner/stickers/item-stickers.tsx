import { Plus } from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { useHashDialog } from '#app/browser/use-hash-dialog.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { rememberScan } from '#app/data/first-scan.ts';
import { findOwnItem, findOwnItemById, type Item } from '#app/data/items.ts';
import {
  type AttachRefusal,
  attachSticker,
  findItemOfFurtherCode,
  type ItemSticker,
  MOST_STICKERS,
} from '#app/data/stickers.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { FinderLink } from '#app/item/finder-link.tsx';
import { Button } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { SCAN_HASH } from '#domain/tag-code/scan-address.ts';
import { itemStickersWords } from '#words/item-stickers.ts';
import { taggingWords } from '#words/tagging.ts';
import { StickerRow } from './sticker-row.tsx';

/** What the scanner is given; the route that has both features renders it. */
interface ScannerSlot {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onScan: (code: string, isWanted: () => boolean, isRead: boolean) => Promise<void>;
}

interface ItemStickersProps {
  readonly item: Item;
  readonly stickers: readonly ItemSticker[];
  readonly renderScanner: (slot: ScannerSlot) => ReactNode;
  /** The title above, which gets the focus once the pressed button is gone. */
  readonly title: RefObject<HTMLElement | null>;
}

type Problem = Exclude<AttachRefusal, 'taken'> | 'here' | 'another' | Item;

/** The stickers on an item: to see, print, add, and remove. */
export function ItemStickers({ item, stickers, renderScanner, title }: ItemStickersProps) {
  const { owner } = useTexts().item;
  const texts = itemStickersWords(useLanguage());
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [scanning, setScanning] = useHashDialog(SCAN_HASH);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { withRecentProof, proofDialog } = useRecentProof();
  const isFull = stickers.length >= MOST_STICKERS;

  // Rejects where the service is unreachable, and the scanner offers to try again.
  const onScan: ScannerSlot['onScan'] = async (code, _isWanted, isRead) => {
    const client = await browserClient();
    if (stickers.some((sticker) => sticker.code === code)) {
      if (isRead) rememberScan(code);
      return setProblem('here');
    }
    const outcome = await withRecentProof(() => attachSticker(client, code, item.id));
    if (outcome === 'unreachable') throw new Error('The service could not be reached.');
    if (outcome === 'taken') {
      return setProblem((await findOwnItem(client, code)) ?? (await findItemOfFurtherCode(client, code)) ?? 'another');
    }
    if (outcome !== 'attached') return setProblem(outcome);
    await revalidate();
    announce(texts.added);
  };
  const onRemoved = async (code: string) => {
    title.current?.focus();
    if (code !== item.qrId) return revalidate();
    // Its page has the address of the code that took the place of this one.
    const changed = await findOwnItemById(await browserClient(), item.id);
    await navigate(changed === null ? '/dashboard' : `/item/${changed.qrId}`, { replace: true });
  };

  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-soft text-sm">{texts.lead}</p>
      <ul className="flex flex-col divide-y divide-line">
        {stickers.map((sticker) => (
          <StickerRow
            key={sticker.code}
            sticker={sticker}
            isRemovable={stickers.length > 1}
            onRemoved={() => onRemoved(sticker.code)}
          />
        ))}
      </ul>
      <div role="alert" className="empty:hidden">
        {problem !== null && (
          <Alert tone="warning" quiet>
            <ProblemText problem={problem} />
          </Alert>
        )}
      </div>
      {isFull ? (
        <p className="text-ink-soft text-sm">{texts.itemFull(MOST_STICKERS)}</p>
      ) : (
        <Button
          variant="outline"
          className="self-start"
          onClick={() => {
            setProblem(null);
            setScanning(true);
          }}
        >
          <Plus className="size-5" aria-hidden="true" />
          {texts.add}
        </Button>
      )}
      <div className="border-line border-t pt-4">
        <FinderLink code={item.qrId} title={owner.link} withSticker={false} />
      </div>
      {proofDialog}
      {renderScanner({ open: scanning, onOpenChange: setScanning, onScan })}
    </div>
  );
}

function ProblemText({ problem }: { readonly problem: Problem }) {
  const { scanner } = useTexts();
  const { tagging } = taggingWords(useLanguage());
  const texts = itemStickersWords(useLanguage());
  switch (problem) {
    case 'here':
      return texts.onThisItem;
    case 'another':
      return scanner.registeredToAnother;
    case 'notIssued':
      return tagging.notIssued;
    case 'itemFull':
      return texts.itemFull(MOST_STICKERS);
    case 'accountFull':
      return texts.accountFull;
    case 'itemGone':
      return texts.itemGone;
    default:
      return (
        <>
          <WithName of={texts.onAnotherItem} name={problem.itemName} />{' '}
          <Link to={`/item/${problem.qrId}`} className="font-semibold underline">
            {texts.showItem}
          </Link>
        </>
      );
  }
}
