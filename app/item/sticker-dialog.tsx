import { Printer } from 'lucide-react';
import { encode } from 'uqr';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { stickerLink } from '#domain/tag-code.ts';
import { usePublicConfig } from './public-config.ts';
import { Sticker } from './sticker.tsx';
import { useMessages } from './use-messages.ts';

interface StickerDialogProps {
  readonly code: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The item's sticker, for whoever has none, or has lost it. It is printed alone. */
export function StickerDialog({ code, open, onOpenChange }: StickerDialogProps) {
  const { common, sticker } = useMessages();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={sticker.title} closeLabel={common.close}>
      <p className="text-ink-soft">{sticker.text}</p>
      <StickerOf code={code} />
      <Button onClick={() => print()}>
        <Printer className="size-5" aria-hidden="true" />
        {sticker.print}
      </Button>
    </Dialog>
  );
}

/** In a component of its own, so that a code is made for whoever looks at it alone. */
function StickerOf({ code }: { code: string }) {
  const { sticker } = useMessages();
  const { publicUrl } = usePublicConfig();
  // A seventh of it may be scratched off (level M); more would make its squares smaller.
  const { data } = encode(stickerLink(publicUrl, code), { ecc: 'M', border: 0 });
  const rows = data.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));
  return (
    <div role="img" aria-label={sticker.picture(code)} className="print-alone flex justify-center">
      <Sticker rows={rows} call={sticker.call} code={code} className="w-48 self-start" />
    </div>
  );
}
