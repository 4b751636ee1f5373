import type { RefObject } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { FullScreenDialog } from '#app/ui/full-screen-dialog.tsx';
import { ScannerBody } from './scanner-body.tsx';
import type { ScannerMode } from './scanner-mode.ts';
import { useOpenScanned } from './use-open-scanned.ts';
import type { OnScan } from './use-scan-result.ts';

export interface ScannerProps {
  readonly mode: ScannerMode;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Where the focus goes when it closes, where that is not what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null>;
  /** Without it the scanner goes where the code leads. */
  readonly onScan?: OnScan;
}

/** The overlay that reads a sticker: with the camera, from a picture, or typed. The camera is on only while it is open. */
export function Scanner({ mode, open, onOpenChange, finalFocus, onScan }: ScannerProps) {
  const { common, scanner } = useMessages();
  const openScanned = useOpenScanned();
  const scanned: OnScan = async (code, isWanted) => {
    await (onScan ?? openScanned)(code, isWanted);
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
