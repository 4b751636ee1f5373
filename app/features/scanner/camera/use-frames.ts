import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { openQrReader, type QrReader } from '#app/decode/qr-reader.ts';
import { drawPicture } from '#app/decode/read-picture-file.ts';

/** Milliseconds between two frames: about ten a second are read. */
const FRAME_MS = 100;
/** The longest side of a frame, in pixels. */
const LONGEST = 1_280;

interface Frames {
  readonly video: RefObject<HTMLVideoElement | null>;
  /** Pauses reading while false. */
  readonly reading: boolean;
  readonly onText: (text: string) => void;
  /** Frames cannot be read: the decoder could not be fetched or is broken. */
  readonly onFailure: () => void;
}

/** Reads QR codes from the frames of a playing video while `reading` is true. */
export function useFrames({ video, reading, onText, onFailure }: Frames): void {
  const seen = useEffectEvent(onText);
  const failed = useEffectEvent(onFailure);

  useEffect(() => {
    if (!reading) return;
    const canvas = document.createElement('canvas');
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reader: QrReader | undefined;

    const readFrame = async (): Promise<void> => {
      const begun = performance.now();
      const { current } = video;
      if (current !== null && reader !== undefined && current.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) {
        drawPicture(canvas, current, { width: current.videoWidth, height: current.videoHeight, longest: LONGEST });
        const text = await reader.read(canvas);
        if (stopped) return;
        if (text !== null) seen(text);
      }
      timer = setTimeout(() => void readFrame().catch(giveUp), Math.max(0, begun + FRAME_MS - performance.now()));
    };
    const giveUp = () => {
      if (!stopped) failed();
    };
    openQrReader()
      .then((opened) => {
        reader = opened;
        if (stopped) return opened.close();
        return readFrame();
      })
      .catch(giveUp);

    return () => {
      stopped = true;
      clearTimeout(timer);
      reader?.close();
    };
  }, [reading, video]);
}

/** Returns whether the page is visible: not in a background tab or app, and the phone is not locked. */
export function useVisible(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => document.visibilityState === 'visible',
    () => true,
  );
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
