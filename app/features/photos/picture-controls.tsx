import { Camera, Trash2, X } from 'lucide-react';
import { useRef } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { tryAgainNow } from '#app/resilience/retry-until-online.ts';
import { Button } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { usePhotoTexts } from './use-photo-texts.ts';
import type { PictureUpload } from './use-picture-upload.ts';

interface PictureControlsProps {
  readonly upload: PictureUpload;
  readonly texts: { readonly add: string; readonly replace: string; readonly remove: string };
  readonly hasPicture: boolean;
  readonly removing: boolean;
  /** Whether saving is being retried, because the service is unreachable. */
  readonly unreached?: boolean;
  readonly onRemove: () => void;
}

/** Controls to take or choose a picture, with progress, cancel, replace and remove. */
export function PictureControls({
  upload,
  texts,
  hasPicture,
  removing,
  unreached = false,
  onRemove,
}: PictureControlsProps) {
  const { common } = useTexts();
  const photos = usePhotoTexts();
  const input = useRef<HTMLInputElement>(null);
  const { state, start, retry, cancel } = upload;
  const busy = state.step === 'preparing' || state.step === 'uploading';

  return (
    <div className="flex flex-col gap-3">
      <input
        ref={input}
        type="file"
        accept="image/*"
        className="hidden"
        // The button below opens it. Phones also offer the camera.
        tabIndex={-1}
        aria-hidden="true"
        data-picture=""
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) start(file);
          // Lets the same file be chosen again.
          currentTarget.value = '';
        }}
      />
      {state.step === 'failed' && (
        <Alert>
          <p>{photos.problems[state.problem]}</p>
          {state.problem !== 'unreadable' && (
            <Button variant="quiet" className="-ms-4 sm:-ms-5" onClick={retry}>
              {photos.tryAgain}
            </Button>
          )}
        </Alert>
      )}
      {unreached && (busy || removing) && (
        <Alert tone="warning">
          <p>{navigator.onLine ? photos.waiting : common.offline}</p>
          <Button variant="quiet" className="-ms-4 sm:-ms-5" onClick={tryAgainNow}>
            {photos.tryAgain}
          </Button>
        </Alert>
      )}
      {busy ? (
        <UploadProgress share={state.step === 'uploading' ? state.share : null} onCancel={cancel} />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={() => input.current?.click()}>
            <Camera className="size-5" aria-hidden="true" />
            {hasPicture ? texts.replace : texts.add}
          </Button>
          {hasPicture && (
            <Button variant="quiet" busy={removing} onClick={onRemove}>
              {!removing && <Trash2 className="size-5" aria-hidden="true" />}
              {texts.remove}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** `share` is from 0 to 1; null while the picture is being prepared. */
function UploadProgress({ share, onCancel }: { readonly share: number | null; readonly onCancel: () => void }) {
  const photos = usePhotoTexts();
  const percent = Math.round((share ?? 0) * 100);
  const text = share === null ? photos.preparing : percent === 100 ? photos.saving : photos.uploading(percent);
  return (
    <div className="flex items-center gap-3">
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p className="text-ink-soft text-sm">{text}</p>
        <div
          role="progressbar"
          aria-label={photos.progress}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-2 overflow-hidden rounded-full bg-sunken forced-colors:border"
        >
          <div
            className="h-full rounded-full bg-primary transition-[width] forced-colors:bg-[Highlight]"
            style={{ width: `${percent}%` }}
          />
        </div>
      </div>
      <Button variant="quiet" onClick={onCancel}>
        <X className="size-5" aria-hidden="true" />
        {photos.cancel}
      </Button>
    </div>
  );
}
