import { renewIfGone } from '#app/ui/load-part.ts';
import type { Typeset } from '#domain/stickers/typesetting/typesetter.ts';
import type { TypesetResult } from './typeset-worker.ts';
import workerAddress from './typeset-worker.ts?worker&url';

/** Sets texts as outlines, one at a time. */
export interface BrowserTypesetter {
  /** Rejects where the shaper or a font cannot be fetched. */
  set(text: string): Promise<Typeset>;
  close(): void;
}

/** Opens a worker, which then fetches the shaper, and for each text the fonts that it needs. */
export function openTypesetter(): BrowserTypesetter {
  const worker = new Worker(workerAddress, { type: 'module' });
  let last: Promise<unknown> = Promise.resolve();
  const ask = (text: string) =>
    new Promise<Typeset>((resolve, reject) => {
      const fail = (reason: string) => void renewIfGone(new Error(reason)).catch(reject);
      worker.onmessage = ({ data }: MessageEvent<TypesetResult>) =>
        data.kind === 'failed' ? fail(data.reason) : resolve(data);
      worker.onerror = () => fail(`The shaper could not be loaded: ${workerAddress}`);
      worker.postMessage(text);
    });
  return {
    set(text) {
      // One at a time, so that a result belongs to the latest text.
      const response = last.then(() => ask(text));
      last = response.catch(() => {});
      return response;
    },
    close: () => worker.terminate(),
  };
}
