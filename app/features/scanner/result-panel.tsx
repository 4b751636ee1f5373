import { CircleAlert, CircleQuestionMark, QrCode, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Spinner } from '#app/ui/waiting.tsx';
import type { StickerCode } from '#domain/tag-code/read-scanned-value.ts';
import type { ScanResult } from './use-scan-result.ts';

interface ResultPanelProps {
  readonly result: ScanResult;
  readonly onLookUp: (sticker: StickerCode) => void;
  readonly onScanAgain: () => void;
}

/** What was read, where it does not lead on automatically. */
export function ResultPanel({ result, onLookUp, onScanAgain }: ResultPanelProps) {
  const { common, scanner, typedCode } = useTexts();
  const { productName } = usePublicConfig();
  const again = (
    <Button variant="outline" onClick={onScanAgain}>
      {scanner.scanAgain}
    </Button>
  );

  if (result.kind === 'foreign') {
    const { host, sticker } = result;
    return (
      <Frame icon={<ShieldAlert className="size-9" />}>
        <div role="alert" className="flex flex-col gap-2">
          <h3 className="font-bold text-xl">{scanner.foreignTitle}</h3>
          <p className="wrap-anywhere">{scanner.foreignText(host, productName)}</p>
        </div>
        {again}
        {sticker !== null && (
          <Button variant="tag" onClick={() => onLookUp(sticker)}>
            {scanner.lookUpHere}
          </Button>
        )}
      </Frame>
    );
  }
  if (result.kind === 'unknown') {
    return (
      <Frame icon={<CircleQuestionMark className="size-9" />}>
        <div role="alert">
          <h3 className="font-bold text-xl">{typedCode.unknown}</h3>
        </div>
        {again}
      </Frame>
    );
  }
  if (result.kind === 'failed') {
    return (
      <Frame icon={<CircleAlert className="size-9" />}>
        <div role="alert">
          <h3 className="font-bold text-xl">{scanner.statusFailed}</h3>
        </div>
        <Button variant="tag" onClick={() => onLookUp(result.sticker)}>
          {common.tryAgain}
        </Button>
        {again}
      </Frame>
    );
  }
  return (
    <Frame icon={<QrCode className="size-9" />}>
      <div role="status" className="flex flex-col items-center gap-2">
        <h3 className="font-bold text-xl">{scanner.detected}</h3>
        <p className="flex items-center gap-2.5 text-on-night-soft">
          <Spinner />
          {scanner.checking}
        </p>
      </div>
    </Frame>
  );
}

function Frame({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    // The focused element is gone; keyboard navigation continues from here.
    <div
      ref={takeFocus}
      tabIndex={-1}
      className="flex flex-1 flex-col items-center justify-center gap-5 px-6 py-10 text-center outline-none"
    >
      <span
        className="tag-pop grid size-18 shrink-0 -rotate-6 place-content-center rounded-lg bg-tag text-on-tag"
        aria-hidden="true"
      >
        {icon}
      </span>
      {children}
    </div>
  );
}

function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
