import { Button } from '#app/ui/button.tsx';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { REPORT_KINDS, REPORT_LENGTH, type ReportProblem } from '#domain/contact/report.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import type { FoundItem } from '#domain/item/found-item.ts';
import { nameInText } from './name-in-text.ts';

export interface ReportFormProps {
  readonly code: string;
  readonly item: FoundItem;
  /** What was chosen and typed before, shown again with its problem. */
  readonly kind: string;
  readonly typed: string;
  readonly problem: ReportProblem | undefined;
}

interface InPage {
  readonly language: FinderLanguage;
  readonly productName: string;
}

const PROBLEM_ID = 'report-problem';

/** The page `/item/{code}/report`: a plain form to the operator. The server checks what was sent. */
export function ReportForm({ code, item, kind, typed, problem, language, productName }: ReportFormProps & InPage) {
  const texts = language.words.report;
  const isUnchosen = problem?.field === 'kind';
  const isTooLong = problem?.field === 'body';
  return (
    <section className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6">
      <h1 className="font-bold text-2xl">{texts.title}</h1>
      <p className="wrap-anywhere text-ink-soft">
        <WithName of={texts.about} name={nameInText(item, language.texts)} />
      </p>
      {problem !== undefined && (
        <div id={PROBLEM_ID}>
          <Alert>{problem.text}</Alert>
        </div>
      )}
      <form method="post" action={`/item/${code}/report`} className="flex flex-col gap-4">
        <div
          role="radiogroup"
          aria-labelledby="report-kind"
          aria-required
          aria-invalid={isUnchosen || undefined}
          aria-describedby={isUnchosen ? PROBLEM_ID : undefined}
          className="flex min-w-0 flex-col"
        >
          <p id="report-kind" className="font-medium text-sm">
            {texts.what}
          </p>
          {REPORT_KINDS.map((choice) => (
            <label key={choice} className="flex min-h-12 items-center gap-3 py-2">
              <input
                type="radio"
                name="kind"
                value={choice}
                required
                defaultChecked={choice === kind}
                className="size-5 shrink-0 accent-primary"
              />
              {texts.kinds[choice]}
            </label>
          ))}
        </div>
        <Field id="report-body" label={texts.words} hint={<WithName of={texts.hint} name={productName} />}>
          {(control) => (
            <textarea
              {...control}
              aria-invalid={isTooLong || undefined}
              aria-describedby={[control['aria-describedby'], isTooLong && PROBLEM_ID].filter(Boolean).join(' ')}
              name="body"
              rows={3}
              autoComplete="off"
              maxLength={REPORT_LENGTH}
              defaultValue={typed}
              className={`${inputLook(isTooLong)} field-sizing-content max-h-64 min-h-24 resize-y`}
            />
          )}
        </Field>
        <Button type="submit" wide>
          {texts.send}
        </Button>
      </form>
    </section>
  );
}
