import { SendHorizontal } from 'lucide-react';
import { type SubmitEvent, useRef, useState } from 'react';
import { shouldMoveFocus } from '#app/browser/should-move-focus.ts';
import { keepReplyDraft, replyDraft } from '#app/data/reply-drafts.ts';
import { CountedTextArea } from '#app/form/counted-text-area.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { MESSAGE_LENGTH } from '#domain/contact/count-characters.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { itemPageWords } from '#words/item-page.ts';

interface ReplyFormProps {
  readonly conversationId: string;
  /** The finder's name on this page. */
  readonly finder: string;
  readonly onSend: (body: string) => void;
}

/** The field for a reply. What is typed is kept until it is sent. */
export function ReplyForm({ conversationId, finder, onSend }: ReplyFormProps) {
  const { threads } = itemPageWords(useLanguage());
  const [typed, setTyped] = useState(() => replyDraft(conversationId));
  const body = trimMessage(typed);
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const type = (next: string) => {
    setTyped(next);
    keepReplyDraft(conversationId, next);
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (body === '') return;
    // The field will be empty and the button disabled, so it would lose the focus.
    if (button.current !== null && shouldMoveFocus(button.current)) field.current?.focus();
    onSend(body);
    type('');
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <CountedTextArea
        ref={field}
        label={threads.replyLabel(finder)}
        hint={threads.replyHint}
        placeholder={threads.replyPlaceholder}
        limit={MESSAGE_LENGTH}
        value={typed}
        onChange={type}
      />
      <Button ref={button} type="submit" disabled={body === ''} className="self-end">
        <SendHorizontal className="size-5 rtl:-scale-x-100" aria-hidden="true" />
        {threads.send}
      </Button>
    </form>
  );
}
