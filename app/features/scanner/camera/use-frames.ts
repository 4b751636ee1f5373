import { type RefObject, useEffect, useEffectEvent } from 'react';
import { drawPicture } from './draw-picture.ts';
import { openQrReader, type QrReader } from './qr-reader.ts';

/** Milliseconds from one frame to the next: about ten a second are read. */
const FRAME_MS = 100;
/** Pixels of a frame's longest side. */
const LONGEST = 1_280;

interface Frames {
  readonly video: RefObject<HTMLVideoElement | null>;
  /** Nothing is read while it is false. */
  readonly reading: boolean;
  readonly onText: (text: string) => void;
  /** Frames cannot be read at all: the decoder could not be fetched, or is broken. */
  readonly onFailure: () => void;
}

/** Reads the frames of a video that plays, for as long as `reading` is true. */
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
