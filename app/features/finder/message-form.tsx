import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field.tsx';
import { MESSAGE_LENGTH } from '#domain/count-characters.ts';
import type { Messages } from '#domain/messages/en.ts';

interface MessageFormProps {
  readonly code: string;
  readonly messages: Messages;
  readonly owner: string;
  readonly sent: boolean;
  readonly problem: string | undefined;
  readonly typed: string;
  /** It is the only way to the owner. */
  readonly isOnlyWay: boolean;
}

/** The anonymous message. Without a script the server counts, trims and says what is wrong. */
export function MessageForm({ code, messages, owner, sent, problem, typed, isOnlyWay }: MessageFormProps) {
  const texts = messages.finder;
  return (
    <section
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5 shadow-raised sm:p-6"
      aria-labelledby="message-title"
    >
      <h2 id="message-title" className={classNames('font-bold', isOnlyWay ? 'text-2xl' : 'text-lg')}>
        {texts.messageTitle}
      </h2>
      <div data-sent="" hidden={!sent}>
        <Alert tone="info" title={texts.sentTitle} quiet>
          {texts.sentText(owner)}
        </Alert>
      </div>
      <form method="post" action={`/item/${code}/message#message`} data-message="" className="flex flex-col gap-3">
        <Field
          id="message-body"
          label={texts.messageLabel}
          hint={texts.messageHint(owner)}
          error={problem}
          aside={<span data-count="" className="text-ink-soft text-xs tabular-nums" />}
        >
          {(control) => (
            <textarea
              {...control}
              name="body"
              rows={3}
              required
              maxLength={MESSAGE_LENGTH}
              defaultValue={typed}
              placeholder={texts.messagePlaceholder}
              className={classNames(
                inputLook(problem !== undefined),
                'field-sizing-content scroll-mt-24 max-h-64 resize-y',
                isOnlyWay ? 'min-h-40' : 'min-h-24',
              )}
            />
          )}
        </Field>
        <p data-progress="" role="status" className="font-medium text-sm empty:hidden" />
        <Button type="submit" wide>
          {texts.send}
        </Button>
      </form>
    </section>
  );
}
