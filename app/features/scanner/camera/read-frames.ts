import { openQrReader, type QrReader } from '#app/decode/qr-reader.ts';
import { drawPicture } from '#app/decode/read-picture-file.ts';

/** Milliseconds between two frames: about ten a second are read. */
const FRAME_MS = 100;
/** The longest side of a frame, in pixels. */
const LONGEST = 1_280;

interface FrameListeners {
  readonly onText: (text: string) => void;
  /** Frames cannot be read: the decoder could not be fetched or is broken. */
  readonly onFailure: () => void;
}

/**
 * Reads QR codes from the frames of a video until the returned function is called. The decoder is fetched at once, also
 * before the video plays.
 *
 * @param decoder - As for `openQrReader`.
 */
export function readFrames(video: HTMLVideoElement, decoder: string, listeners: FrameListeners): () => void {
  const canvas = document.createElement('canvas');
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reader: QrReader | undefined;

  const readFrame = async (opened: QrReader): Promise<void> => {
    const begun = performance.now();
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) {
      drawPicture(canvas, video, { width: video.videoWidth, height: video.videoHeight, longest: LONGEST });
      const text = await opened.read(canvas);
      if (stopped) return;
      if (text !== null) listeners.onText(text);
    }
    timer = setTimeout(() => void readFrame(opened).catch(giveUp), Math.max(0, begun + FRAME_MS - performance.now()));
  };
  const giveUp = () => {
    if (!stopped) listeners.onFailure();
  };
  openQrReader(decoder)
    .then((opened) => {
      reader = opened;
      if (stopped) return opened.close();
      return readFrame(opened);
    })
    .catch(giveUp);

  return () => {
    stopped = true;
    clearTimeout(timer);
    reader?.close();
  };
}
