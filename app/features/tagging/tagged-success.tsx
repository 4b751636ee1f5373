import { Printer, ScanLine } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useHashDialog } from '#app/browser/use-hash-dialog.ts';
import type { Item } from '#app/data/items.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { FinderLink } from '#app/item/finder-link.tsx';
import { ItemIcon } from '#app/item/item-icon.tsx';
import { LazyStickerDialog } from '#app/item/sticker/lazy-sticker-dialog.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { NEXT_SCAN_HASH } from '#domain/tag-code/scan-address.ts';
import { taggingWords } from '#words/tagging.ts';

/** How long the success is shown before the dashboard, in milliseconds (specification, section 9). */
const SHOWN = 3_000;
const SECOND = 1_000;

/** What the scanner is given; the route that has both features renders it. */
export interface ScannerSlot {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

interface TaggedSuccessProps {
  readonly item: Item;
  /** Whether the item was made with this sticker; otherwise it got another one. */
  readonly isNew: boolean;
  /** Whether it was tagged without a sticker. Then the next step is to print one, and nothing hurries. */
  readonly needsSticker: boolean;
  /** Where a new owner's first visit goes on; null where none does. */
  readonly nextStep: string | null;
  /** Null for an owner without stickers. */
  readonly renderScanner: ((slot: ScannerSlot) => ReactNode) | null;
}

/** Confirms the tagging. Continues to the dashboard unless the item needs a sticker, or the user acts on this screen. */
export function TaggedSuccess({ item, isNew, needsSticker, nextStep, renderScanner }: TaggedSuccessProps) {
  const { item: texts, sticker } = useTexts();
  const { tagging } = taggingWords(useLanguage());
  const navigate = useNavigate();
  const [isStaying, setIsStaying] = useState(needsSticker);
  const [isPrinting, setIsPrinting] = useState(false);
  const [scanning, setScanning] = useHashDialog(NEXT_SCAN_HASH);
  const [left, setLeft] = useState(SHOWN);
  const title = useRef<HTMLHeadingElement>(null);

  // The form before it may have been scrolled.
  useEffect(() => {
    scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  useEffect(() => {
    if (isStaying) return;
    const leaving = setTimeout(() => void navigate('/dashboard', { replace: true }), SHOWN);
    const counting = setInterval(() => setLeft((before) => Math.max(0, before - SECOND)), SECOND);
    const stopWatching = onUserActs(() => setIsStaying(true));
    return () => {
      clearTimeout(leaving);
      clearInterval(counting);
      stopWatching();
    };
  }, [navigate, isStaying]);

  // Takes the focus that "Stay" loses when it disappears.
  useLayoutEffect(() => {
    if (isStaying && document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, [isStaying]);

  return (
    <div className="flex flex-col items-center gap-5 py-12 text-center">
      <span className="tag-pop grid size-28 -rotate-6 place-content-center rounded-xl bg-tag text-on-tag shadow-floating">
        <ItemIcon type={item.itemType} size={52} />
      </span>
      <div role="status" className="flex flex-col gap-2">
        <h1 ref={title} tabIndex={-1} className="font-bold text-3xl outline-none">
          {isNew ? tagging.successTitle : tagging.attachedTitle}
        </h1>
        <p className="text-balance text-ink-soft">
          {needsSticker ? (
            tagging.stickerNext
          ) : isNew ? (
            tagging.successText
          ) : (
            <WithName of={tagging.attachedText} name={item.itemName} />
          )}
        </p>
      </div>
      {needsSticker ? (
        <>
          <Button size="large" wide onClick={() => setIsPrinting(true)}>
            <Printer className="size-5" aria-hidden="true" />
            {sticker.show}
          </Button>
          <LazyStickerDialog code={item.qrId} open={isPrinting} onOpenChange={setIsPrinting} />
          {nextStep !== null && (
            <LinkButton variant="outline" size="large" wide to={nextStep} replace>
              {tagging.nextStep}
            </LinkButton>
          )}
          <FinderLink code={item.qrId} title={tagging.successLink} withSticker={false} />
        </>
      ) : (
        // The same height in both states, so that nothing moves under the user's finger.
        <div className="flex min-h-20 w-full max-w-xs flex-col items-center justify-center gap-2">
          {!isStaying && (
            <>
              <div className="flex w-full items-center justify-between gap-3">
                <p className="text-ink-soft text-sm tabular-nums">{tagging.leavingIn(left / SECOND)}</p>
                <Button variant="outline" onClick={() => setIsStaying(true)}>
                  {tagging.stay}
                </Button>
              </div>
              <div className="h-1.5 w-full overflow-hidden rounded-full bg-sunken" aria-hidden="true">
                <div className="time-left h-full rounded-full bg-primary forced-colors:bg-[Highlight]" />
              </div>
            </>
          )}
        </div>
      )}
      {renderScanner !== null && (
        <Button variant="outline" onClick={() => setScanning(true)}>
          <ScanLine className="size-5" aria-hidden="true" />
          {tagging.scanAnother}
        </Button>
      )}
      <LinkButton variant={isStaying && !needsSticker ? 'primary' : 'quiet'} to="/dashboard" replace>
        {texts.returnToDashboard}
      </LinkButton>
      {renderScanner?.({ open: scanning, onOpenChange: setScanning })}
    </div>
  );
}

const ACTS = ['pointerdown', 'keydown', 'focusin', 'wheel', 'touchmove', 'beforeprint'] as const;

/** Calls `act` once the user touches, scrolls, types, focuses or prints. Returns a function that stops watching. */
function onUserActs(act: () => void): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true };
  for (const type of ACTS) addEventListener(type, act, options);
  // A new screen may scroll by itself in its first frame; the user scrolls later.
  requestAnimationFrame(() => requestAnimationFrame(() => addEventListener('scroll', act, options)));
  return () => stop.abort();
}
