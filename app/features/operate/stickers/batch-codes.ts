import { saveFile } from '#app/browser/save-file.ts';
import type { StickerBatch } from '../console-data.ts';
import { callAsOperator } from '../operator-calls.ts';

interface BatchCode {
  readonly place: number;
  readonly tag_code: string;
  readonly typed_code: string | null;
  readonly state: 'free' | 'claimed' | 'void';
}

/** How many codes one call returns. */
const CHUNK = 1_000;

/** Downloads the codes of a batch, with a link for each. Whoever has the file can claim the free ones. */
export async function downloadCodes({ id, label, recorded }: StickerBatch, address: string): Promise<void> {
  const lines = ['place,tag code,typed code,link,state'];
  for (let first = 0; first < recorded; first += CHUNK) {
    const values = { batch_id_param: id, first_place_param: first };
    for (const code of await callAsOperator<BatchCode[]>('look_at_batch_codes', values)) {
      const { place, tag_code: tag, typed_code: typed, state } = code;
      lines.push([place, tag, typed ?? '', `${address}/${tag}`, state].join(','));
    }
  }
  saveFile(`${label}.csv`, new Blob([lines.join('\r\n'), '\r\n'], { type: 'text/csv' }));
}

/** Makes a batch, or continues the one that was interrupted. Reports how many codes it has after each step. */
export async function makeBatch(label: string, size: number, onProgress: (done: number) => void): Promise<void> {
  const id = await callAsOperator<string>('make_batch', { label_param: label, size_param: size });
  for (let done = 0; done < size; onProgress(done)) {
    done = await callAsOperator<number>('fill_batch', { batch_id_param: id });
  }
}
