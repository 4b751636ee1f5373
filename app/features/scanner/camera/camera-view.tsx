import { Flashlight, FlashlightOff, SwitchCamera } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { Spinner } from '#app/ui/waiting.tsx';
import type { Camera } from './camera.ts';
import type { useCamera } from './use-camera.ts';
import { useFrames } from './use-frames.ts';

interface CameraViewProps {
  readonly camera: ReturnType<typeof useCamera>;
  readonly onText: (text: string) => void;
  readonly onFailure: () => void;
}

/** The camera picture with a viewfinder. */
export function CameraView({ camera: { state, torch, toggleTorch, switchCamera }, ...props }: CameraViewProps) {
  const { scanner } = useTexts();
  const video = useRef<HTMLVideoElement>(null);
  const camera = state.status === 'on' ? state.camera : null;

  useEffect(() => {
    if (video.current === null) return;
    video.current.srcObject = camera?.stream ?? null;
    // Playing stops by itself when the overlay closes first.
    if (camera !== null) video.current.play().catch(() => {});
  }, [camera]);
  /** The camera whose light did not do what it was told. */
  const [stubborn, setStubborn] = useState<Camera | null>(null);
  const onTorch = async () => setStubborn((await toggleTorch()) ? null : camera);
  useFrames({ video, reading: camera !== null, onText: props.onText, onFailure: props.onFailure });

  return (
    <div className="relative min-h-64 flex-1 overflow-hidden bg-[#04201a]">
      <video ref={video} muted playsInline className="absolute inset-0 size-full object-cover" />
      {camera !== null && <Viewfinder />}
      <div className="@container absolute inset-x-4 bottom-4">
        <div className="flex @max-[14rem]:flex-col @max-[14rem]:items-center items-end justify-between gap-3">
          <span className="@max-[14rem]:empty:hidden size-12 shrink-0">
            {camera?.hasTorch === true && (
              <RoundButton label={torch ? scanner.torchOff : scanner.torchOn} onClick={() => void onTorch()}>
                {torch ? <FlashlightOff className="size-6" /> : <Flashlight className="size-6" />}
              </RoundButton>
            )}
          </span>
          <div
            role="status"
            className="flex flex-col items-center rounded-lg bg-[rgb(4_32_26/88%)] px-4 py-2.5 text-center text-sm"
          >
            <span className="flex items-center gap-2.5 font-semibold">
              <Spinner className="size-4 shrink-0" />
              {camera === null ? scanner.askingForCamera : scanner.scanning}
            </span>
            {camera !== null && (
              <span className="text-on-night-soft">{stubborn === camera ? scanner.torchFailed : scanner.aim}</span>
            )}
          </div>
          <span className="@max-[14rem]:empty:hidden size-12 shrink-0">
            {camera !== null && camera.next !== null && (
              <RoundButton label={scanner.switchCamera} onClick={switchCamera}>
                <SwitchCamera className="size-6" />
              </RoundButton>
            )}
          </span>
        </div>
      </div>
    </div>
  );
}

/** Four corners in the yellow of a tag. */
function Viewfinder() {
  const corner = 'absolute size-12 border-tag';
  return (
    <div className="absolute inset-0 grid place-content-center pb-16" aria-hidden="true">
      <div className="relative size-[min(62vw,15rem)]">
        <span className={classNames(corner, 'start-0 top-0 rounded-ss-xl border-s-4 border-t-4')} />
        <span className={classNames(corner, 'end-0 top-0 rounded-se-xl border-e-4 border-t-4')} />
        <span className={classNames(corner, 'start-0 bottom-0 rounded-es-xl border-s-4 border-b-4')} />
        <span className={classNames(corner, 'end-0 bottom-0 rounded-ee-xl border-e-4 border-b-4')} />
        <span className="scan-line absolute inset-x-3 top-1/2 h-0.5 rounded-full bg-tag" />
      </div>
    </div>
  );
}

interface RoundButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function RoundButton({ label, onClick, children }: RoundButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="grid size-12 place-content-center rounded-full bg-[rgb(4_32_26/88%)] text-on-night hover:bg-tag hover:text-on-tag focus-visible:outline-on-night"
    >
      {children}
    </button>
  );
}
