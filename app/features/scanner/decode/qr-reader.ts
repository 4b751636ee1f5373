import type { DecodeAnswer } from './decode-worker.ts';

/** Reads QR codes from pictures, one after another. */
export interface QrReader {
  /** What the code in the picture says, or null where none is seen. Rejects where no picture can be read at all. */
  read(picture: HTMLCanvasElement): Promise<string | null>;
  close(): void;
}

/** The Barcode Detection API, which TypeScript's library does not describe: https://wicg.github.io/shape-detection-api */
interface NativeDetector {
  detect(picture: HTMLCanvasElement): Promise<readonly { readonly rawValue: string }[]>;
}
interface DetectorGlobals {
  readonly BarcodeDetector?: {
    new (options: { readonly formats: readonly string[] }): NativeDetector;
    getSupportedFormats(): Promise<readonly string[]>;
  };
}

/** The browser's own detector where it has one that works, else ours, which is fetched only then. */
export async function openQrReader(): Promise<QrReader> {
  const native = await openNativeDetector().catch(() => null);
  if (native === null) return openWorkerReader();
  return {
    read: async (picture) => (await native.detect(picture))[0]?.rawValue ?? null,
    close: () => {},
  };
}

async function openNativeDetector(): Promise<NativeDetector | null> {
  const { BarcodeDetector } = globalThis as DetectorGlobals;
  if (BarcodeDetector === undefined) return null;
  if (!(await BarcodeDetector.getSupportedFormats()).includes('qr_code')) return null;
  const detector = new BarcodeDetector({ formats: ['qr_code'] });
  // A browser may have the interface without the part of the system that does the work: it shows on first use.
  await detector.detect(document.createElement('canvas'));
  return detector;
}

function openWorkerReader(): QrReader {
  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' });
  let last: Promise<unknown> = Promise.resolve();
  const ask = (frame: ImageData) =>
    new Promise<string | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<DecodeAnswer>) =>
        'failure' in data ? reject(new Error(data.failure)) : resolve(data.text);
      worker.onerror = () => reject(new Error('The decoder could not be loaded.'));
      worker.postMessage(frame, [frame.data.buffer]);
    });
  return {
    read(picture) {
      const frame = picture.getContext('2d')?.getImageData(0, 0, picture.width, picture.height);
      if (frame === undefined) return Promise.reject(new Error('This browser gives no pixels of a picture.'));
      // One at a time, so that an answer belongs to the picture that was sent last.
      const answer = last.then(() => ask(frame));
      last = answer.catch(() => {});
      return answer;
    },
    close: () => worker.terminate(),
  };
}
