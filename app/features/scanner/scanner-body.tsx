import { Camera, ImageUp, Keyboard } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { NEW_ITEM } from '#domain/tag-code/tag-code.ts';
import { CameraProblemNotice } from './camera/camera-problem-notice.tsx';
import { CameraView } from './camera/camera-view.tsx';
import { useCamera } from './camera/use-camera.ts';
import { PictureButton } from './picture-button.tsx';
import { ResultPanel } from './result-panel.tsx';
import { SimulateButton } from './simulate-button.tsx';
import type { ScannerMode } from './typed-code-form.tsx';
import { TypedCodeForm } from './typed-code-form.tsx';
import { type OnScan, useScanResult } from './use-scan-result.ts';

interface ScannerBodyProps {
  readonly mode: ScannerMode;
  readonly onScan: OnScan;
}

export function ScannerBody({ mode, onScan }: ScannerBodyProps) {
  const { scanner } = useTexts();
  const { development } = usePublicConfig();
  const [typing, setTyping] = useState(false);
  const [decoderBroken, setDecoderBroken] = useState(false);
  const { result, read, accept, reset } = useScanResult(onScan);
  const searching = result.kind === 'none' || result.kind === 'not-ours';
  const camera = useCamera(searching && !typing && !decoderBroken);
  const { state } = camera;

  const switchInput = () => {
    reset();
    setTyping(!typing);
  };
  const tryAgain = () => {
    setDecoderBroken(false);
    camera.tryAgain();
  };

  if (!searching) return <ResultPanel result={result} onLookUp={accept} onScanAgain={reset} />;
  return (
    <>
      {typing ? (
        <Panel>
          <TypedCodeForm mode={mode} onSticker={accept} />
        </Panel>
      ) : decoderBroken ? (
        <CameraProblemNotice problem="unreadable" onTryAgain={tryAgain} />
      ) : state.status === 'asking' || state.status === 'on' ? (
        <CameraView camera={camera} onText={read} onFailure={() => setDecoderBroken(true)} />
      ) : (
        <CameraProblemNotice problem={state.status} onTryAgain={tryAgain}>
          {/* Here it moves no button that somebody is about to press. */}
          {development && state.status === 'missing' && <SimulateButton onText={read} />}
        </CameraProblemNotice>
      )}
      <div className="flex flex-col gap-3 bg-surface p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] text-ink">
        <div role="status" className="empty:hidden">
          {result.kind === 'not-ours' && (
            <Alert tone="warning" quiet>
              {scanner.notOurs}
            </Alert>
          )}
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-3">
          <PictureButton icon={<ImageUp className="size-5 shrink-0" aria-hidden="true" />} onText={read} />
          <Button variant="outline" onClick={switchInput}>
            {typing ? (
              <Camera className="size-5 shrink-0" aria-hidden="true" />
            ) : (
              <Keyboard className="size-5 shrink-0" aria-hidden="true" />
            )}
            {typing ? scanner.useCamera : scanner.enterCode}
          </Button>
        </div>
        {mode === 'tag' && (
          <LinkButton variant="quiet" to={`/item/${NEW_ITEM}`} replace>
            {scanner.withoutSticker}
          </LinkButton>
        )}
      </div>
    </>
  );
}

function Panel({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-1 flex-col justify-center bg-canvas p-6 text-ink">{children}</div>;
}
