import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LazyDialog } from '#app/item/lazy-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { Refusal } from '#app/ui/notice/alert.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { randomId } from '#domain/ids.ts';
import { NumberField } from '../number-field.tsx';
import { useStickerTexts } from '../use-sticker-texts.ts';
import {
  type BlankCodes,
  type BlankCodesRequest,
  discardBlankCodes,
  MOST_BLANK,
  makeBlankCodes,
} from './blank-codes.ts';

const ABOUT = { about: 'blank stickers' } as const;

interface BlankChoiceProps {
  readonly blank: readonly BlankCodes[];
  /** Those to print, by `madeAt`. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Makes blank stickers, and lists those that are on no item yet, to choose which are printed. */
export function BlankChoice({ blank, chosen, onChange }: BlankChoiceProps) {
  const texts = useStickerTexts().blank;
  const title = useRef<HTMLParagraphElement>(null);
  const total = blank.reduce((sum, { codes }) => sum + codes.length, 0);
  const shown = useRef(total);
  // The form to make more starts again with each new number, which takes the focus off its button.
  useEffect(() => {
    if (total !== shown.current && document.activeElement === document.body) {
      title.current?.focus({ preventScroll: true });
    }
    shown.current = total;
  }, [total]);
  const toggle = (madeAt: string) => {
    const next = new Set(chosen);
    if (!next.delete(madeAt)) next.add(madeAt);
    onChange(next);
  };
  return (
    <div className="flex flex-col gap-4">
      <p ref={title} tabIndex={-1} className="text-ink-soft text-sm outline-none">
        {texts.lead}
      </p>
      {blank.length > 0 && (
        <fieldset className="max-h-96 min-w-0 overflow-y-auto rounded-md border border-line-strong">
          <legend className="sr-only">{texts.legend}</legend>
          {blank.map((made) => (
            <div key={made.madeAt} className="flex items-center gap-2 border-line not-last:border-b">
              <label className="flex min-h-12 min-w-0 flex-1 cursor-pointer items-center gap-3 py-2 ps-3 has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:-outline-offset-3">
                <input
                  type="checkbox"
                  checked={chosen.has(made.madeAt)}
                  onChange={() => toggle(made.madeAt)}
                  className="size-5 shrink-0 accent-primary"
                />
                <span className="min-w-0 font-medium">
                  {texts.made({ count: made.codes.length, moment: formatMoment(made.madeAt) })}
                </span>
              </label>
              <Discard made={made} onDiscarded={() => title.current?.focus()} />
            </div>
          ))}
        </fieldset>
      )}
      {total < MOST_BLANK ? (
        <MakeMore
          // Starts again with the room that is left.
          key={total}
          room={MOST_BLANK - total}
          onMade={(madeAt) => onChange(new Set([madeAt]))}
        />
      ) : (
        <p className="text-ink-soft text-sm">{texts.full(MOST_BLANK)}</p>
      )}
    </div>
  );
}

interface MakeMoreProps {
  /** How many more the account may have. */
  readonly room: number;
  readonly onMade: (madeAt: string) => void;
}

function MakeMore({ room, onMade }: MakeMoreProps) {
  const texts = useStickerTexts().blank;
  const { revalidate } = useRevalidator();
  const [request, setRequest] = useState(() => newRequest(Math.min(room, USUAL)));
  const { count } = request;
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const make = async () => {
    const made = await makeBlankCodes(await browserClient(), request);
    if (made === null) return setRefusal(texts.noRoom);
    setRequest(newRequest(count));
    announce(texts.ready(count));
    const [newest] = made;
    if (newest !== undefined) onMade(newest.madeAt);
  };
  const press = () => {
    setBusy(true);
    setRefusal(null);
    void make()
      .catch(() => setRefusal(texts.makeFailed))
      // Also after a failure: a lost response may have been a success.
      .then(() => revalidate())
      .finally(() => setBusy(false));
  };
  return (
    <div className="flex flex-col gap-3">
      {refusal !== null && <Refusal text={refusal} />}
      <NumberField
        label={texts.count}
        hint={texts.countHint}
        problem={texts.countProblem(room)}
        value={count}
        least={1}
        most={room}
        step={1}
        onChange={(wanted) => setRequest(newRequest(wanted))}
      />
      <Button variant="outline" busy={busy} onClick={press} className="self-start">
        {busy ? texts.making : texts.make(count)}
      </Button>
    </div>
  );
}

/** Stays the same until its outcome is known, so that pressing again after a lost response makes nothing twice. */
function newRequest(count: number): BlankCodesRequest {
  return { id: randomId(), count };
}

/** As many as a common sheet has. */
const USUAL = 24;

interface DiscardProps {
  readonly made: BlankCodes;
  readonly onDiscarded: () => void;
}

function Discard({ made, onDiscarded }: DiscardProps) {
  const { common } = useTexts();
  const texts = useStickerTexts().blank;
  const { revalidate } = useRevalidator();
  const [isAsking, setIsAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const count = made.codes.length;
  const { withRecentProof, proofDialog } = useRecentProof();
  const discard = async () => {
    setBusy(true);
    try {
      const client = await browserClient();
      await withRecentProof(() => discardBlankCodes(client, made));
      announce(texts.discarded);
      setIsAsking(false);
      onDiscarded();
      await revalidate();
    } catch {
      showToast('failure', texts.discardFailed, ABOUT);
    }
    setBusy(false);
  };
  return (
    <>
      <Button
        variant="quiet"
        aria-label={texts.discardOf({ count, moment: formatMoment(made.madeAt) })}
        onClick={() => setIsAsking(true)}
        className="px-3!"
      >
        <Trash2 className="size-5" aria-hidden="true" />
      </Button>
      <LazyDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={texts.discardTitle(count)}
        closeLabel={common.close}
      >
        {proofDialog}
        <p className="text-ink-soft">{texts.discardText}</p>
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" busy={busy} onClick={() => void discard()} className="flex-1">
            {busy ? texts.discarding : texts.discard}
          </Button>
          <Button variant="outline" onClick={() => setIsAsking(false)} className="flex-1">
            {texts.keep}
          </Button>
        </div>
      </LazyDialog>
    </>
  );
}
