import type { ReactNode } from 'react';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { FreeStickerNote } from '#app/item/sticker/free-sticker-note.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import type { Claim } from './use-claim.ts';

interface StickerNoticeProps {
  readonly code: string;
  readonly routeCode: string | undefined;
  /** Null while it is not known. */
  readonly claim: Claim | null;
}

/**
 * Says above the sign-up what it does with the tag code, that the code has an owner, or that it cannot be claimed. Where that becomes known only
 * after the form is shown, all have the same place, so that the form does not move.
 */
export function StickerNotice({ code, routeCode, claim }: StickerNoticeProps) {
  const { auth } = useSignInTexts();
  const texts = useTexts();
  const isPossible = claim?.isPossible !== false;
  const banner = (
    <>
      <Alert tone="info">
        <WithName of={auth.qrBanner} name={code} />
      </Alert>
      {/* A scan of a free sticker leads to the path with its code. */}
      {routeCode !== undefined && <FreeStickerNote texts={texts} href={`/${routeCode}`} />}
    </>
  );
  const isTaken = claim?.isTaken === true;
  const taken = <TakenSticker code={code} />;
  const unknown = <UnknownSticker text={<WithName of={auth.notOurStickerText} name={code} />} />;
  if (claim !== null && !claim.isLate) {
    if (isPossible) return banner;
    return isTaken ? taken : unknown;
  }
  return (
    <div className="grid *:[grid-area:1/1]">
      <div className={classNames('flex flex-col gap-6', !isPossible && 'invisible')}>{banner}</div>
      <div className={classNames((isPossible || isTaken) && 'invisible')}>{unknown}</div>
      <div className={classNames((isPossible || !isTaken) && 'invisible')}>{taken}</div>
    </div>
  );
}

/** Says that a tag code has an owner, who may be the visitor. */
export function TakenSticker({ code }: { readonly code: string }) {
  const { auth } = useSignInTexts();
  return (
    <Alert tone="info" title={auth.takenStickerTitle}>
      {auth.takenStickerText} {/* A document without the app. */}
      <a className="font-semibold underline" href={`/item/${code}`}>
        {auth.takenStickerLink}
      </a>
    </Alert>
  );
}

/** Says that a tag code cannot be claimed. */
export function UnknownSticker({ text }: { readonly text: ReactNode }) {
  const { auth } = useSignInTexts();
  return (
    <Alert tone="warning" title={auth.notOurStickerTitle}>
      {text}
    </Alert>
  );
}
