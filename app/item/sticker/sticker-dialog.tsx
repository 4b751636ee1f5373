import { CircleCheck, LayoutGrid, Printer } from 'lucide-react';
import { encode } from 'uqr';
import { usePublicConfig } from '#app/client/public-config.ts';
import { CHECKED_PIXELS_PER_MM, type CodeCheck, useCodeCheck } from '#app/decode/use-code-check.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { Spinner } from '#app/ui/waiting.tsx';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { itemStickersWords } from '#words/item-stickers.ts';
import { drawCode } from './draw-code.ts';
import { Sticker } from './sticker.tsx';

export interface StickerDialogProps {
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
      <LinkButton variant="outline" to={`/stickers?item=${code}`}>
        <LayoutGrid className="size-5" aria-hidden="true" />
        {sticker.more}
      </LinkButton>
    </Dialog>
  );
}

/** The side of the code on paper with its quiet zone, in millimeters: of `w-48` without the padding. */
const PRINTED_SIDE = 44;

/** A component of its own, so that the QR code is only created, and read again, when the dialog is open. */
function StickerOf({ code }: { readonly code: string }) {
  const { sticker } = useTexts();
  const { stickerUrl } = usePublicConfig();
  const link = stickerLink(stickerUrl, code);
  // Level M tolerates about 15% damage; a higher level would need smaller modules.
  const { data } = encode(link, { ecc: 'M', border: 0 });
  const rows = data.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));
  const draw = () => drawCode(rows, PRINTED_SIDE * CHECKED_PIXELS_PER_MM);
  const [check, checkAgain] = useCodeCheck([{ id: code, link, draw }], link);
  const isOffered = check.kind === 'checked' && check.unreadable.size === 0;
  return (
    <>
      <div
        role="img"
        aria-label={sticker.picture(code)}
        className={classNames('flex justify-center', isOffered && 'print-alone')}
      >
        <Sticker rows={rows} call={sticker.call} typedCode={typedCodeOf(code)} className="w-48 self-start" />
      </div>
      <CheckResult check={check} onCheckAgain={checkAgain} />
      <Button disabled={!isOffered} onClick={() => print()}>
        <Printer className="size-5" aria-hidden="true" />
        {sticker.print}
      </Button>
    </>
  );
}

/** Says whether the code can be scanned. */
function CheckResult({ check, onCheckAgain }: { readonly check: CodeCheck; readonly onCheckAgain: () => void }) {
  const { common } = useTexts();
  const texts = itemStickersWords(useLanguage()).codeCheck;
  if (check.kind === 'failed') {
    return (
      <>
        <Alert>{texts.unchecked}</Alert>
        <Button variant="outline" onClick={onCheckAgain}>
          {common.tryAgain}
        </Button>
      </>
    );
  }
  if (check.kind === 'checked' && check.unreadable.size > 0) return <Alert>{texts.unreadable}</Alert>;
  const isChecking = check.kind === 'checking';
  return (
    <p role="status" className="flex items-start gap-2.5 text-sm">
      {isChecking ? <Spinner /> : <CircleCheck className="mt-0.5 size-5 shrink-0 text-primary" aria-hidden="true" />}
      <span>{isChecking ? texts.checking : texts.checked}</span>
    </p>
  );
}
