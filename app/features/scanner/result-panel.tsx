import { CircleAlert, CircleQuestionMark, QrCode, ShieldAlert } from 'lucide-react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Spinner } from '#app/ui/waiting.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import type { StickerCode } from '#domain/tag-code/read-scanned-value.ts';
import { typedCodeWords } from '#words/typed-code.ts';
import { ResultFrame } from './result-frame.tsx';
import type { ScanResult } from './use-scan-result.ts';

interface ResultPanelProps {
  readonly result: ScanResult;
  readonly onLookUp: (sticker: StickerCode) => void;
  readonly onScanAgain: () => void;
}

/** What was read, where it does not lead on automatically. */
export function ResultPanel({ result, onLookUp, onScanAgain }: ResultPanelProps) {
  const { common, scanner } = useTexts();
  const { typedCode } = typedCodeWords(useLanguage());
  const { productName } = usePublicConfig();
  const again = (
    <Button variant="outline" onClick={onScanAgain}>
      {scanner.scanAgain}
    </Button>
  );

  if (result.kind === 'foreign') {
    const { host, sticker } = result;
    return (
      <ResultFrame icon={<ShieldAlert className="size-9" />}>
        <div role="alert" className="flex flex-col gap-2">
          <h3 className="font-bold text-xl">{scanner.foreignTitle}</h3>
          <p className="wrap-anywhere">
            <WithName of={(product) => scanner.foreignText({ host, product })} name={productName} />
          </p>
        </div>
        {again}
        {sticker !== null && (
          <Button variant="tag" onClick={() => onLookUp(sticker)}>
            {scanner.lookUpHere}
          </Button>
        )}
      </ResultFrame>
    );
  }
  if (result.kind === 'unknown') {
    return (
      <ResultFrame icon={<CircleQuestionMark className="size-9" />}>
        <div role="alert">
          <h3 className="font-bold text-xl">{typedCode.unknown}</h3>
        </div>
        {again}
      </ResultFrame>
    );
  }
  if (result.kind === 'failed') {
    return (
      <ResultFrame icon={<CircleAlert className="size-9" />}>
        <div role="alert">
          <h3 className="font-bold text-xl">{scanner.statusFailed}</h3>
        </div>
        <Button variant="tag" onClick={() => onLookUp(result.sticker)}>
          {common.tryAgain}
        </Button>
        {again}
      </ResultFrame>
    );
  }
  return (
    <ResultFrame icon={<QrCode className="size-9" />}>
      <div role="status" className="flex flex-col items-center gap-2">
        <h3 className="font-bold text-xl">{scanner.detected}</h3>
        <p className="flex items-center gap-2.5 text-on-night-soft">
          <Spinner />
          {scanner.checking}
        </p>
      </div>
    </ResultFrame>
  );
}
