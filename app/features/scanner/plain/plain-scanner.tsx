import { Camera, ImageUp, Keyboard, X } from 'lucide-react';
import { DECODER } from '#app/decode/worker-address.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { Spinner } from '#app/ui/waiting.tsx';
import { PlainCamera } from './plain-camera.tsx';
import { PlainProblem } from './plain-problem.tsx';
import { PlainResults } from './plain-results.tsx';
import { PlainTyping } from './plain-typing.tsx';

/**
 * The scanner of a document without the app, with all its states. `run-scanner.ts` shows those elements whose
 * `data-view` names the current one.
 */
export function PlainScanner() {
  const { common, scanner } = useTexts();
  return (
    <dialog
      data-scanner={DECODER}
      aria-labelledby="scanner-title"
      tabIndex={-1}
      className="m-0 h-dvh max-h-none w-full max-w-none flex-col overflow-y-auto bg-night text-on-night shadow-floating transition-[translate,opacity] duration-300 backdrop:bg-[rgb(6_26_22/55%)] open:flex starting:translate-y-2.5 starting:opacity-0 md:m-auto md:h-[min(46rem,94dvh)] md:max-w-lg md:rounded-xl"
    >
      <div className="flex items-center justify-between gap-4 py-2 ps-5 pe-2 pt-[max(0.5rem,env(safe-area-inset-top))]">
        <h2 id="scanner-title" className="font-bold text-lg">
          {scanner.titles.find}
        </h2>
        <button
          type="button"
          data-part="close"
          aria-label={common.close}
          className="grid size-12 shrink-0 place-content-center rounded-md text-on-night-soft hover:text-on-night focus-visible:outline-on-night"
        >
          <X className="size-6" aria-hidden="true" />
        </button>
      </div>
      <PlainCamera />
      <PlainProblem />
      <PlainTyping />
      <PlainResults />
      <div
        data-view="camera problem typing"
        className="flex flex-col gap-3 bg-surface p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] text-ink"
      >
        <div role="status" data-part="not-ours" hidden>
          <Alert tone="warning" quiet>
            {scanner.notOurs}
          </Alert>
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-3">
          <Button variant="outline" data-part="picture">
            <span data-part="picture-icon">
              <ImageUp className="size-5 shrink-0" aria-hidden="true" />
            </span>
            <span data-part="picture-spinner" hidden>
              <Spinner />
            </span>
            <span data-part="picture-text" data-busy={scanner.readingPicture}>
              {scanner.choosePicture}
            </span>
          </Button>
          <input type="file" accept="image/*" hidden aria-label={scanner.choosePicture} data-part="file" />
          <p
            role="alert"
            data-part="picture-problem"
            data-empty={scanner.pictureWithoutCode}
            data-unreadable={scanner.pictureUnreadable}
            className="order-last col-span-full text-center font-medium text-danger text-sm empty:hidden"
          />
          <Button variant="outline" data-part="type" data-view="camera problem">
            <Keyboard className="size-5 shrink-0" aria-hidden="true" />
            {scanner.enterCode}
          </Button>
          <Button variant="outline" data-part="use-camera" data-view="typing">
            <Camera className="size-5 shrink-0" aria-hidden="true" />
            {scanner.useCamera}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
