import { Button } from '#app/ui/button.tsx';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import type { Conversation } from '#domain/contact/conversation.ts';
import type { FinderTexts } from '#domain/finder-language.ts';

interface ReturnPassProps {
  readonly code: string;
  readonly texts: FinderTexts;
  readonly owner: string;
  readonly conversation: Conversation | null | undefined;
  /** Whether the finder has just written: then what the code is for is shown too. */
  readonly isNew: boolean;
  /** Whether replies can be announced by email. */
  readonly hasMail: boolean;
}

/**
 * What opens the conversation from any browser: the return code and the private link. The script fills it in for a
 * conversation that the document does not contain, and shares or copies the link.
 */
export function ReturnPass({ code, texts, owner, conversation, isNew, hasMail }: ReturnPassProps) {
  const { returnCode, returnHint, atHandOver, privateLink, emailReplies, otherConversation } = texts.conversation;
  return (
    <>
      <details
        data-return=""
        hidden={!conversation}
        open={isNew}
        className="rounded-lg border border-line bg-surface px-4 text-sm"
      >
        <summary className="cursor-pointer py-3">
          {returnCode}{' '}
          <span
            data-return-code=""
            translate="no"
            dir="ltr"
            className="whitespace-nowrap px-1 font-bold text-lg tracking-widest"
          >
            {conversation?.return_code}
          </span>
        </summary>
        <p>{returnHint}</p>
        <p className="mt-2">
          <WithName of={atHandOver} name={owner} />
        </p>
        <a
          data-return-link=""
          href={conversation?.return_path}
          rel="noreferrer"
          className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
        >
          {privateLink}
        </a>
      </details>
      {hasMail && (
        <a
          href={`/item/${code}/email`}
          className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
        >
          {emailReplies}
        </a>
      )}
      {conversation !== null && (
        <form method="post" action={`/item/${code}/other`} data-others="" hidden={!conversation?.has_others}>
          <Button type="submit" variant="quiet">
            {otherConversation}
          </Button>
        </form>
      )}
    </>
  );
}

interface ReturnFormProps {
  readonly code: string;
  readonly texts: FinderTexts;
  readonly problem: string | undefined;
  /** What was typed, where there is a problem. */
  readonly typed: string | undefined;
  /** The key of a private link, which waits for the button. */
  readonly linkKey: string | undefined;
}

/** Where a finder who wrote from another browser types the return code, or confirms a private link. */
export function ReturnForm({ code, texts, problem, typed, linkKey }: ReturnFormProps) {
  const { wroteBefore, returnCode, returnCodeLength, confirmLink, openConversation } = texts.conversation;
  return (
    <section className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5 shadow-raised sm:p-6">
      <h2 className="font-bold text-lg">{wroteBefore}</h2>
      <form method="post" action={`/item/${code}/back`} className="flex flex-col gap-3">
        {linkKey === undefined ? (
          <Field
            id="return-code"
            label={returnCode}
            hint={problem === undefined ? returnCodeLength : undefined}
            error={problem}
          >
            {(control) => (
              <input
                {...control}
                name="return_code"
                required
                maxLength={20}
                defaultValue={typed}
                enterKeyHint="go"
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                dir="ltr"
                className={`${inputLook(problem !== undefined)} uppercase tracking-widest`}
              />
            )}
          </Field>
        ) : (
          <>
            <p>{confirmLink}</p>
            <input type="hidden" name="finder_key" value={linkKey} />
          </>
        )}
        <Button type="submit" wide>
          {openConversation}
        </Button>
      </form>
    </section>
  );
}
