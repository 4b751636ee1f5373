import { LayoutGrid, Printer } from 'lucide-react';
import { encode } from 'uqr';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { Sticker } from './sticker.tsx';

interface StickerDialogProps {
  readonly code: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Shows the item's sticker, for printing. Only the sticker is printed. */
export function StickerDialog({ code, open, onOpenChange }: StickerDialogProps) {
  const { common, sticker } = useTexts();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={sticker.title} closeLabel={common.close}>
      <p className="text-ink-soft">{sticker.text}</p>
      <StickerOf code={code} />
      <Button onClick={() => print()}>
        <Printer className="size-5" aria-hidden="true" />
        {sticker.print}
      </Button>
      <LinkButton variant="outline" to={`/stickers?item=${code}`}>
        <LayoutGrid className="size-5" aria-hidden="true" />
        {sticker.more}
      </LinkButton>
    </Dialog>
  );
}

/** A component of its own, so that the QR code is only created when the dialog is open. */
function StickerOf({ code }: { code: string }) {
  const { sticker } = useTexts();
  const { stickerUrl } = usePublicConfig();
  // Level M tolerates about 15% damage; a higher level would need smaller modules.
  const { data } = encode(stickerLink(stickerUrl, code), { ecc: 'M', border: 0 });
  const rows = data.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));
  return (
    <div role="img" aria-label={sticker.picture(code)} className="print-alone flex justify-center">
      <Sticker rows={rows} call={sticker.call} typedCode={typedCodeOf(code)} className="w-48 self-start" />
    </div>
  );
}
