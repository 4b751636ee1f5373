import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { DECODER } from '#app/decode/worker-address.ts';
import { readFrames } from './read-frames.ts';

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
    const { current } = video;
    if (!reading || current === null) return;
    return readFrames(current, DECODER, { onText: (text) => seen(text), onFailure: () => failed() });
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
