import { CircleCheck } from 'lucide-react';
import { useRef } from 'react';
import { decideAbout, takeBackItem } from '#app/data/conversations.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { SaveStatus, useSave } from '../save-item.tsx';

interface TakeBackProps {
  readonly itemId: string;
  readonly conversationId: string;
  /** The finder's name on this page. */
  readonly finder: string;
  /** ISO 8601; null while the conversation is open. */
  readonly returnedAt: string | null;
}

/** Ends the conversation with the finder who brought the item back, or opens it again. */
export function TakeBackFromFinder({ itemId, conversationId, finder, returnedAt }: TakeBackProps) {
  const { threads } = useTexts();
  const { save, state, isBusy } = useSave();
  const part = useRef<HTMLDivElement>(null);

  // The pressed button is gone by then.
  const goOn = (change: string) => {
    part.current?.focus({ preventScroll: true });
    announce(change);
  };
  const takeBack = async () => {
    if (!(await save((client) => takeBackItem(client, itemId, conversationId)))) return;
    goOn(threads.returnedText(finder));
  };
  const reopen = async () => {
    if (!(await save((client) => decideAbout(client, conversationId, { returnedAt: null })))) return;
    goOn(threads.reopened);
  };

  return (
    <div ref={part} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      {returnedAt === null ? (
        <Button variant="outline" busy={isBusy} onClick={() => void takeBack()} className="self-start">
          <CircleCheck className="size-5" aria-hidden="true" />
          {threads.takeBack(finder)}
        </Button>
      ) : (
        <Alert tone="info" title={threads.returnedTitle} quiet>
          <p>{threads.returnedText(finder)}</p>
          <Button variant="quiet" busy={isBusy} onClick={() => void reopen()} className="-ms-4 sm:-ms-5">
            {threads.reopen}
          </Button>
        </Alert>
      )}
      <SaveStatus state={state} />
    </div>
  );
}
