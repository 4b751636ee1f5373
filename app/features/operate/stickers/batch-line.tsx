import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { usePublicConfig } from '#app/client/public-config.ts';
import { Button } from '#app/ui/button.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { ActDialog } from '../act-dialog.tsx';
import type { StickerBatch } from '../console-data.ts';
import { callAsOperator } from '../operator-calls.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import { downloadCodes } from './batch-codes.ts';

/** A batch, and what can be done with it. */
export function BatchLine({ batch }: { readonly batch: StickerBatch }) {
  const texts = useOperateTexts();
  const { stickers } = texts;
  const { stickerUrl } = usePublicConfig();
  const { revalidate } = useRevalidator();
  const [asking, setAsking] = useState(false);
  const [claimedToo, setClaimedToo] = useState(false);
  const [busy, setBusy] = useState(false);

  const act = async (what: 'void' | 'restore', reason: string | null) => {
    await callAsOperator('act_on_batch', {
      batch_id_param: batch.id,
      act_param: what,
      reason_param: reason,
      claimed_too_param: claimedToo,
    });
    await revalidate();
    showToast('success', texts.done, { about: 'operate' });
    return null;
  };
  const atOnce = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work().catch(() => showToast('failure', texts.failed, { about: 'operate' }));
    setBusy(false);
  };
  return (
    <li className="flex flex-col gap-2 py-4">
      <div>
        <h2 className="wrap-anywhere font-medium">
          <bdi>{batch.label}</bdi>
        </h2>
        <p className="text-ink-soft text-sm">{stickers.has({ ...batch, stopped: batch.void })}</p>
        {batch.note !== null && <p className="wrap-anywhere text-ink-soft text-sm">{batch.note}</p>}
        {batch.void_reason !== null && (
          <p className="wrap-anywhere font-medium text-danger text-sm">{stickers.voided(batch.void_reason)}</p>
        )}
        <p className="text-ink-soft text-sm">
          {stickers.printHint}{' '}
          <code dir="ltr" className="wrap-anywhere text-xs">
            npm run reunite -- stickers print {JSON.stringify(batch.label)} --format avery-5160 --out stickers.pdf
          </code>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" busy={busy} onClick={() => void atOnce(() => downloadCodes(batch, stickerUrl))}>
          {stickers.print}
        </Button>
        {batch.voided_at === null ? (
          <Button variant="danger" onClick={() => setAsking(true)}>
            {stickers.void}
          </Button>
        ) : (
          <Button variant="outline" busy={busy} onClick={() => void atOnce(() => act('restore', null))}>
            {stickers.restore}
          </Button>
        )}
      </div>
      {asking && (
        <ActDialog
          title={stickers.void}
          text={stickers.voidText}
          asksReason
          isDangerous
          onAct={(reason) => act('void', reason)}
          onClose={() => setAsking(false)}
        >
          <SwitchField label={stickers.claimedToo} checked={claimedToo} onChange={setClaimedToo} />
        </ActDialog>
      )}
    </li>
  );
}
