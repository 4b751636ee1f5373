import { CircleCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { decideAbout } from '#app/data/conversations.ts';
import type { Item } from '#app/data/items.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { itemPageWords } from '#words/item-page.ts';
import { LazyTakeBackSheet } from '../returned/lazy-take-back-sheet.tsx';
import { SaveStatus, useSave } from '../save-item.tsx';

interface TakeBackProps {
  readonly item: Item;
  readonly conversationId: string;
  /** The finder's name on this page. */
  readonly finder: string;
  /** ISO 8601; null while the conversation is open. */
  readonly returnedAt: string | null;
}

/** Ends the conversation with the finder who brought the item back, or opens it again. */
export function TakeBackFromFinder({ item, conversationId, finder, returnedAt }: TakeBackProps) {
  const { threads } = itemPageWords(useLanguage());
  const { save, state, isBusy } = useSave();
  const [isAsking, setIsAsking] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const reopen = async () => {
    if (!(await save((client) => decideAbout(client, conversationId, { returnedAt: null })))) return;
    // The pressed button is gone by then.
    part.current?.focus({ preventScroll: true });
    announce(threads.reopened);
  };

  return (
    <div ref={part} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      {returnedAt === null ? (
        <Button ref={button} variant="outline" onClick={() => setIsAsking(true)} className="self-start">
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
      <LazyTakeBackSheet
        open={isAsking}
        onOpenChange={setIsAsking}
        item={item}
        conversationId={conversationId}
        finders={[{ conversationId, name: finder }]}
        onDone={() => announce(threads.returnedText(finder))}
        finalFocus={returnedAt === null ? button : part}
      />
    </div>
  );
}
