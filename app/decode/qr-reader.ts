import { renewIfGone } from '#app/ui/load-part.ts';
import type { DecodeResult } from './decode-worker.ts';

/** Reads QR codes from pictures, one at a time. */
export interface QrReader {
  /**
   * Returns the text of the code in the picture, or null where none was found. Rejects where decoding does not work at
   * all.
   */
  read(picture: HTMLCanvasElement): Promise<string | null>;
  close(): void;
}

/** The Barcode Detection API, which TypeScript's library lacks: https://wicg.github.io/shape-detection-api */
interface NativeDetector {
  detect(picture: HTMLCanvasElement): Promise<readonly { readonly rawValue: string }[]>;
}
interface DetectorGlobals {
  readonly BarcodeDetector?: {
    new (options: { readonly formats: readonly string[] }): NativeDetector;
    getSupportedFormats(): Promise<readonly string[]>;
  };
}

/**
 * Opens the browser's own detector where it works, else our decoder, which is only then fetched.
 *
 * @param decoder - The URL of our decoder (`worker-address.ts`): a document without the app has it in its markup.
 */
export async function openQrReader(decoder: string): Promise<QrReader> {
  const native = await openNativeDetector().catch(() => null);
  if (native === null) return openWorkerReader(decoder);
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
  // A browser may have the interface without the system part behind it, which shows at first use.
  await detector.detect(document.createElement('canvas'));
  return detector;
}

function openWorkerReader(decoder: string): QrReader {
  const worker = new Worker(decoder, { type: 'module' });
  let last: Promise<unknown> = Promise.resolve();
  const ask = (frame: ImageData) =>
    new Promise<string | null>((resolve, reject) => {
      const fail = (reason: string) => void renewIfGone(new Error(reason)).catch(reject);
      worker.onmessage = ({ data }: MessageEvent<DecodeResult>) =>
        'failure' in data ? fail(data.failure) : resolve(data.text);
      worker.onerror = () => fail(`The decoder could not be loaded: ${decoder}`);
      worker.postMessage(frame, [frame.data.buffer]);
    });
  return {
    read(picture) {
      const frame = picture.getContext('2d')?.getImageData(0, 0, picture.width, picture.height);
      if (frame === undefined) return Promise.reject(new Error('This browser gives no pixels of a picture.'));
      // One at a time, so that a result belongs to the latest picture.
      const response = last.then(() => ask(frame));
      last = response.catch(() => {});
      return response;
    },
    close: () => worker.terminate(),
  };
}
