import { Card } from '#app/ui/card.tsx';
import type { StickerBatch } from '../console-data.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import { BatchForm } from './batch-form.tsx';
import { BatchLine } from './batch-line.tsx';

/** The batches of stickers: makes, lists, stops, and restores them. */
export function StickersPart({ batches }: { readonly batches: readonly StickerBatch[] }) {
  const { stickers: texts } = useOperateTexts();
  return (
    <div className="flex flex-col gap-5">
      <Card>
        <BatchForm />
      </Card>
      <Card>
        {batches.length === 0 && <p>{texts.none}</p>}
        <ul className="flex flex-col divide-y divide-line">
          {batches.map((batch) => (
            <BatchLine key={batch.id} batch={batch} />
          ))}
        </ul>
      </Card>
    </div>
  );
}
