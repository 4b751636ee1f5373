import { Copy, QrCode } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '#app/browser/clipboard/copy-text.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { linkInText } from '#domain/link-in-text.ts';
import { LazyStickerDialog } from './sticker/lazy-sticker-dialog.tsx';

interface FinderLinkProps {
  readonly code: string;
  readonly title: string;
  /** Whether it also offers the sticker. */
  readonly withSticker: boolean;
}

/** The link by which finders reach an item (specification, section 4), to copy, write down or print. */
export function FinderLink({ code, title, withSticker }: FinderLinkProps) {
  const { common, item, sticker, toasts } = useTexts();
  const { publicUrl } = usePublicConfig();
  const [isSticker, setIsSticker] = useState(false);
  const link = linkInText(`${publicUrl}/?code=${code}`);

  const copy = () => copyText(link, { copied: toasts.linkCopied, failed: common.anErrorOccurred });

  return (
    <div className="flex w-full flex-col gap-3">
      <p className="flex flex-col text-start">
        <span className="text-ink-soft text-xs">{title}</span>
        <span translate="no" dir="ltr" className="select-all break-all font-mono text-sm">
          {link}
        </span>
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" className="grow" onClick={() => void copy()}>
          <Copy className="size-5" aria-hidden="true" />
          {item.owner.copyLink}
        </Button>
        {withSticker && (
          <Button variant="outline" className="grow" onClick={() => setIsSticker(true)}>
            <QrCode className="size-5" aria-hidden="true" />
            {sticker.show}
          </Button>
        )}
      </div>
      <LazyStickerDialog code={code} open={isSticker} onOpenChange={setIsSticker} />
    </div>
  );
}
