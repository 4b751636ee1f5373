import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { deleteConversation } from '#app/data/messages.ts';
import { keepReplyDraft } from '#app/data/reply-drafts.ts';
import { discardReply, type UnsentReply } from '#app/data/reply-outbox.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LazyDialog } from '#app/item/lazy-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { itemPageWords } from '#words/item-page.ts';

interface DeleteConversationProps {
  readonly conversationId: string;
  /** The finder's name on this page. */
  readonly finder: string;
  /** The owner's unsent replies in it, which are not sent any more. */
  readonly unsent: readonly UnsentReply[];
}

/** Deletes the conversation after a confirmation. */
export function DeleteConversation({ conversationId, finder, unsent }: DeleteConversationProps) {
  const { common } = useTexts();
  const { threads } = itemPageWords(useLanguage());
  const { revalidate } = useRevalidator();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  const remove = async () => {
    setBusy(true);
    try {
      await deleteConversation(await browserClient(), conversationId);
      for (const { id } of unsent) discardReply(id);
      keepReplyDraft(conversationId, '');
      announce(threads.deleted);
      setAsking(false);
      await revalidate();
    } catch {
      showToast('failure', threads.deleteFailed);
    }
    setBusy(false);
  };

  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        <Trash2 className="size-5" aria-hidden="true" />
        {threads.delete}
      </Button>
      <LazyDialog open={asking} onOpenChange={setAsking} title={threads.deleteTitle(finder)} closeLabel={common.close}>
        <p className="text-ink-soft">{threads.deleteText}</p>
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" busy={busy} onClick={() => void remove()} className="flex-1">
            {busy ? threads.deleting : threads.deleteConfirm}
          </Button>
          <Button variant="outline" onClick={() => setAsking(false)} className="flex-1">
            {threads.keep}
          </Button>
        </div>
      </LazyDialog>
    </>
  );
}
