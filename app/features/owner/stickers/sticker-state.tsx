import { CircleCheck, Printer, QrCode } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LazyStickerDialog } from '#app/item/sticker/lazy-sticker-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { itemPageWords } from '#words/item-page.ts';

/** Says that no sticker of the item was ever scanned, and prints one. */
export function StickerNeeded({ code }: { readonly code: string }) {
  const { dashboard, sticker } = useTexts();
  const { needed } = itemPageWords(useLanguage()).stickerState;
  const [isPrinting, setIsPrinting] = useState(false);
  return (
    <section
      aria-labelledby="sticker-needed"
      className="flex flex-col gap-4 rounded-lg border-2 border-tag-strong border-dashed bg-tag-soft p-5 sm:flex-row sm:items-center sm:justify-between sm:px-6"
    >
      <div className="flex gap-4">
        <QrCode className="mt-0.5 size-8 shrink-0 text-on-tag-soft" aria-hidden="true" />
        <div>
          <h2 id="sticker-needed" className="font-semibold text-lg">
            {dashboard.needsSticker}
          </h2>
          <p className="mt-1 text-sm">{needed}</p>
        </div>
      </div>
      <Button variant="tag" className="shrink-0" onClick={() => setIsPrinting(true)}>
        <Printer className="size-5" aria-hidden="true" />
        {sticker.show}
      </Button>
      <LazyStickerDialog code={code} open={isPrinting} onOpenChange={setIsPrinting} />
    </section>
  );
}

interface StickerWorksProps {
  /** What finders see. It is a picture here: nothing in it can be used. */
  readonly finderView: ReactNode;
  readonly isGoing: boolean;
  readonly onGoOn: () => void;
}

/** After the first scan of a sticker by its owner: it works, and finders see this. */
export function StickerWorks({ finderView, isGoing, onGoOn }: StickerWorksProps) {
  const texts = itemPageWords(useLanguage()).stickerState;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <div className="mx-auto flex w-full max-w-md flex-col items-center gap-5">
      <CircleCheck className="tag-pop size-14 text-primary" aria-hidden="true" />
      <h1 ref={title} tabIndex={-1} className="text-balance text-center font-bold text-2xl outline-none">
        {texts.works}
      </h1>
      <Button size="large" wide busy={isGoing} onClick={onGoOn}>
        {texts.goOn}
      </Button>
      <div
        inert
        className="w-full overflow-hidden rounded-[2rem] border-8 border-night bg-paper pt-4 shadow-floating forced-colors:border-[CanvasText]"
      >
        {finderView}
      </div>
    </div>
  );
}
