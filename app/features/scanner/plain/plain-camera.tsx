import { Flashlight, FlashlightOff, SwitchCamera } from 'lucide-react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { CameraBar, RoundButton, Viewfinder } from '../camera/camera-parts.tsx';

/** The camera picture, for `run-camera.ts`. */
export function PlainCamera() {
  const { scanner } = useTexts();
  return (
    <div data-view="camera" className="relative min-h-64 flex-1 overflow-hidden bg-[#04201a]">
      <video muted playsInline className="absolute inset-0 size-full object-cover" />
      <div data-part="viewfinder" hidden>
        <Viewfinder />
      </div>
      <CameraBar
        start={
          <RoundButton label={scanner.torchOn} data-part="torch" data-on={scanner.torchOff} data-off={scanner.torchOn}>
            <Flashlight className="size-6" data-part="torch-off" />
            <FlashlightOff className="size-6" data-part="torch-on" />
          </RoundButton>
        }
        state={<span data-part="state" data-asking={scanner.askingForCamera} data-on={scanner.scanning} />}
        advice={
          <span
            data-part="aim"
            data-aim={scanner.aim}
            data-failed={scanner.torchFailed}
            className="text-on-night-soft"
          />
        }
        end={
          <RoundButton label={scanner.switchCamera} data-part="switch">
            <SwitchCamera className="size-6" />
          </RoundButton>
        }
      />
    </div>
  );
}
