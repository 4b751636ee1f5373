import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** The result of a frame; `text` is null where no code was found. */
export type DecodeResult = { readonly text: string | null } | { readonly failure: string };

// From our own build: by default the library would fetch it from a CDN.
// At once, while the camera opens; a failure is that of the first frame.
void prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true })?.catch(() => {});

/** Decodes the QR code of each frame. A worker, because only its own policy allows WebAssembly. */
addEventListener('message', ({ data: frame }: MessageEvent<ImageData>) => {
  readBarcodes(frame, { formats: ['QRCode'], maxNumberOfSymbols: 1 }).then(
    ([found]) => response({ text: found?.text ?? null }),
    (error: unknown) => response({ failure: String(error) }),
  );
});

function response(message: DecodeResult): void {
  postMessage(message);
}
