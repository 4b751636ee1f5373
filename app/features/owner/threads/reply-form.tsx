import { SendHorizontal } from 'lucide-react';
import { type SubmitEvent, useRef, useState } from 'react';
import { CountedTextArea } from '#app/lib/counted-text-area.tsx';
import { shouldMoveFocus } from '#app/lib/should-move-focus.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { MESSAGE_LENGTH } from '#domain/count-characters.ts';
import { trimMessage } from '#domain/trim-message.ts';

interface ReplyFormProps {
  /** What the finder is called here. */
  readonly finder: string;
  readonly onSend: (body: string) => void;
}

export function ReplyForm({ finder, onSend }: ReplyFormProps) {
  const { threads } = useMessages();
  const [typed, setTyped] = useState('');
  const body = trimMessage(typed);
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (body === '') return;
    // There is nothing to send any more, so the button is about to be disabled.
    if (button.current !== null && shouldMoveFocus(button.current)) field.current?.focus();
    onSend(body);
    setTyped('');
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
        onChange={setTyped}
      />
      <Button ref={button} type="submit" disabled={body === ''} className="self-end">
        <SendHorizontal className="size-5 rtl:-scale-x-100" aria-hidden="true" />
        {threads.send}
      </Button>
    </form>
  );
}
