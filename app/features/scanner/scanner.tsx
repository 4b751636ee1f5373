import type { RefObject } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { FullScreenDialog } from '#app/ui/dialog/dialog.tsx';
import { ScannerBody } from './scanner-body.tsx';
import type { ScannerMode } from './typed-code-form.tsx';
import { useOpenScanned } from './use-open-scanned.ts';
import type { OnScan } from './use-scan-result.ts';

export interface ScannerProps {
  readonly mode: ScannerMode;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The element that gets the focus when it closes, if not the one that had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null>;
  /** By default the scanner navigates to where the code leads. */
  readonly onScan?: OnScan;
}

/** The overlay that reads a sticker: by camera, from a picture, or typed. The camera is only on while it is open. */
export function Scanner({ mode, open, onOpenChange, finalFocus, onScan }: ScannerProps) {
  const { common, scanner } = useTexts();
  const openScanned = useOpenScanned();
  const scanned: OnScan = async (code, isWanted, isRead) => {
    await (onScan ?? openScanned)(code, isWanted, isRead);
    if (isWanted()) onOpenChange(false);
  };
  return (
    <FullScreenDialog
      open={open}
      onOpenChange={onOpenChange}
      title={scanner.titles[mode]}
      closeLabel={common.close}
      finalFocus={finalFocus}
    >
      <ScannerBody mode={mode} onScan={scanned} />
    </FullScreenDialog>
  );
}
