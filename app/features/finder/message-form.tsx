import { Camera } from 'lucide-react';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { MESSAGE_LENGTH } from '#domain/contact/count-characters.ts';
import type { PlacedTap } from '#domain/contact/message-details.ts';
import type { FinderViewLanguage } from '#domain/finder-language.ts';
import { PhraseChips } from './phrases/phrase-chips.tsx';
import { EnterButton, MESSAGE_FORM, TapFields } from './tap-fields.tsx';

interface MessageFormProps {
  readonly code: string;
  readonly language: FinderViewLanguage;
  readonly owner: string;
  readonly sent: boolean;
  readonly problem: string | undefined;
  readonly typed: string;
  readonly typedPlace: string;
  /** The tap that lacks its place. */
  readonly asked: PlacedTap | undefined;
  /** Whether there is a conversation, which goes on in words: then taps come last. Until then they come first on the page. */
  readonly hasSpoken: boolean;
  /** Whether somebody has replied. */
  readonly hasReply: boolean;
  /** Whether the script asks for the conversation, and then shows what belongs to one. */
  readonly isAsked: boolean;
  /** Whether messages are the only open contact method. */
  readonly isOnlyWay: boolean;
}

/** The form for an anonymous message, in a tap or in words. Without scripts the server counts, trims and reports problems. */
export function MessageForm({
  code,
  language,
  owner,
  sent,
  problem,
  typed,
  typedPlace,
  asked,
  hasSpoken,
  hasReply,
  isAsked,
  isOnlyWay,
}: MessageFormProps) {
  const texts = language.texts;
  const finderTexts = texts.finder;
  return (
    <section
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5 shadow-raised sm:p-6"
      aria-labelledby="message-title"
    >
      <h2 id="message-title" data-more={hasSpoken ? undefined : finderTexts.addMore} className="font-bold text-lg">
        {hasSpoken && !hasReply ? finderTexts.addMore : finderTexts.messageTitle}
      </h2>
      {sent && (
        <Alert tone="info" title={finderTexts.sentTitle} quiet>
          {/* The conversation says more. */}
          {!hasSpoken && <WithName of={finderTexts.sentText} name={owner} />}
        </Alert>
      )}
      <form
        id={MESSAGE_FORM}
        method="post"
        action={`/item/${code}/message#message`}
        encType="multipart/form-data"
        data-message=""
        className="flex flex-col gap-3"
      >
        {hasSpoken && <EnterButton asked={asked} />}
        <Field
          id="message-body"
          label={finderTexts.messageLabel}
          hint={<WithName of={finderTexts.messageHint} name={owner} />}
          error={problem}
          aside={<span data-count="" className="text-ink-soft text-xs tabular-nums" />}
        >
          {(control) => (
            <textarea
              {...control}
              name="body"
              rows={2}
              autoComplete="off"
              maxLength={MESSAGE_LENGTH}
              defaultValue={typed}
              placeholder={finderTexts.messagePlaceholder}
              className={classNames(
                inputLook(problem !== undefined),
                'field-sizing-content scroll-mt-24 max-h-64 min-h-20 resize-y',
              )}
            />
          )}
        </Field>
        {/* With a script, the label is the button, and the photo that was chosen is shown in it. */}
        <label className="flex cursor-pointer flex-wrap items-center gap-2 self-start rounded-md py-3 font-semibold text-primary text-sm focus-within:underline">
          <Camera className="size-5" aria-hidden="true" />
          {language.texts.messagePhoto.add}
          <input
            type="file"
            name="photo"
            accept="image/*"
            className="w-full text-ink file:min-h-11 [@media(scripting)]:w-0 [@media(scripting)]:opacity-0"
          />
        </label>
        <p data-progress="" role="status" className="font-medium text-sm empty:hidden" />
        <div data-failed="" hidden>
          <Alert title={finderTexts.notSentTitle}>
            <p>{isOnlyWay ? finderTexts.notSentText : finderTexts.notSentTextOrElse}</p>
          </Alert>
        </div>
        <Button type="submit" data-send="" wide>
          {finderTexts.send}
        </Button>
        {(hasSpoken || isAsked) && <PhraseChips code={code} phrases={texts.phrases} hidden={!hasSpoken} />}
        {hasSpoken && <TapFields texts={texts} typedPlace={typedPlace} asked={asked} isFirst={false} />}
      </form>
    </section>
  );
}
