import { Flashlight, FlashlightOff, SwitchCamera } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import type { Camera } from './camera.ts';
import { CameraBar, RoundButton, Viewfinder } from './camera-parts.tsx';
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
      <CameraBar
        start={
          camera?.hasTorch === true && (
            <RoundButton label={torch ? scanner.torchOff : scanner.torchOn} onClick={() => void onTorch()}>
              {torch ? <FlashlightOff className="size-6" /> : <Flashlight className="size-6" />}
            </RoundButton>
          )
        }
        state={camera === null ? scanner.askingForCamera : scanner.scanning}
        advice={
          camera !== null && (
            <span className="text-on-night-soft">{stubborn === camera ? scanner.torchFailed : scanner.aim}</span>
          )
        }
        end={
          camera !== null &&
          camera.next !== null && (
            <RoundButton label={scanner.switchCamera} onClick={switchCamera}>
              <SwitchCamera className="size-6" />
            </RoundButton>
          )
        }
      />
    </div>
  );
}
