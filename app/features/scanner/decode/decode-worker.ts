import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** What a frame says; `text` is null where no code is seen in it. */
export type DecodeAnswer = { readonly text: string | null } | { readonly failure: string };

// From our own build: by itself the library would fetch it from a CDN.
prepareZXingModule({ overrides: { locateFile: () => wasmUrl } });

/** Answers each frame with what stands in its QR code. A worker, because only its own policy lets WebAssembly run. */
addEventListener('message', ({ data: frame }: MessageEvent<ImageData>) => {
  readBarcodes(frame, { formats: ['QRCode'], maxNumberOfSymbols: 1 }).then(
    ([found]) => answer({ text: found?.text ?? null }),
    (error: unknown) => answer({ failure: String(error) }),
  );
});

function answer(message: DecodeAnswer): void {
  postMessage(message);
}
