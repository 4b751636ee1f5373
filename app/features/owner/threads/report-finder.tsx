import { Flag } from 'lucide-react';
import { type SubmitEvent, useId, useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { reportFinder } from '#app/data/conversations.ts';
import { CountedTextArea } from '#app/form/counted-text-area.tsx';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LazyDialog } from '#app/item/lazy-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { FormActions } from '#app/ui/field/form.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { FINDER_REPORT_KINDS, type FinderReportKind, REPORT_LENGTH } from '#domain/contact/report.ts';
import { itemPageWords } from '#words/item-page.ts';
import { useSave } from '../save-item.tsx';

interface ReportFinderProps {
  readonly conversationId: string;
  /** The finder's name on this page. */
  readonly finder: string;
}

/** Reports the finder of a conversation to the operator. What was chosen and typed stays until it was sent. */
export function ReportFinder({ conversationId, finder }: ReportFinderProps) {
  const { common } = useTexts();
  const texts = itemPageWords(useLanguage()).reportFinder;
  const { productName } = usePublicConfig();
  const { save, stop, state, isBusy } = useSave();
  const [isAsking, setIsAsking] = useState(false);
  const [kind, setKind] = useState<FinderReportKind | null>(null);
  const [body, setBody] = useState('');
  const [isUnchosen, setIsUnchosen] = useState(false);
  const [labelId, problemId] = [useId(), useId()];

  const close = () => {
    stop();
    setIsUnchosen(false);
    setIsAsking(false);
  };
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsUnchosen(kind === null);
    if (kind === null) {
      event.currentTarget.querySelector('input')?.focus();
      return;
    }
    if (!(await save((client) => reportFinder(client, conversationId, { kind, body })))) return;
    showToast('success', texts.sent(productName), { about: conversationId });
    setKind(null);
    setBody('');
    setIsAsking(false);
  };

  return (
    <>
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        <Flag className="size-5" aria-hidden="true" />
        {texts.report}
      </Button>
      <LazyDialog
        open={isAsking}
        onOpenChange={(open) => (open ? setIsAsking(true) : close())}
        title={texts.title(finder)}
        closeLabel={common.close}
      >
        <form method="post" noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-5">
          <div
            role="radiogroup"
            aria-labelledby={labelId}
            aria-required
            aria-invalid={isUnchosen || undefined}
            aria-describedby={isUnchosen ? problemId : undefined}
            className="flex min-w-0 flex-col"
          >
            <p id={labelId} className="font-medium text-sm">
              {texts.what}
            </p>
            {FINDER_REPORT_KINDS.map((choice) => (
              <label key={choice} className="flex min-h-12 items-center gap-3 py-2">
                <input
                  type="radio"
                  name="kind"
                  value={choice}
                  required
                  checked={choice === kind}
                  onChange={() => {
                    setKind(choice);
                    setIsUnchosen(false);
                  }}
                  className="size-5 shrink-0 accent-primary"
                />
                {texts.kinds[choice]}
              </label>
            ))}
            {isUnchosen && (
              <p id={problemId} className="font-medium text-danger text-sm">
                {texts.chooseFirst}
              </p>
            )}
          </div>
          <CountedTextArea
            label={texts.words}
            hint={<WithName of={texts.hint} name={productName} />}
            limit={REPORT_LENGTH}
            value={body}
            onChange={setBody}
          />
          {state === 'refused' && <Alert>{texts.refused}</Alert>}
          {state === 'waiting' && <Alert tone="warning">{navigator.onLine ? texts.waiting : common.offline}</Alert>}
          <FormActions
            busy={isBusy}
            canStop
            action={texts.send}
            acting={texts.sending}
            cancel={texts.cancel}
            onCancel={close}
          />
        </form>
      </LazyDialog>
    </>
  );
}
