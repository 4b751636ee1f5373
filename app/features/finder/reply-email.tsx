import { Button } from '#app/ui/button.tsx';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { FINDER_PROOF_HOURS } from '#domain/retention.ts';
import { ownerInText } from './name-in-text.ts';

export interface ReplyEmailProps {
  readonly code: string;
  /** The owner's first name. */
  readonly owner: string;
  /** What the conversation has of an address. The page never shows the address: the owner has the return code, too. */
  readonly state: 'none' | 'unproved' | 'proved';
  /** Whether an address has just been removed. */
  readonly removed: boolean;
  /** The address that was refused, as it was typed, and why. */
  readonly typed: string;
  readonly problem: string | undefined;
}

/** The page `/item/{code}/email`: where a finder leaves an email address, and removes it. Plain forms. */
export function ReplyEmail({
  code,
  owner,
  state,
  removed,
  typed,
  problem,
  language,
}: ReplyEmailProps & { readonly language: FinderLanguage }) {
  const texts = language.words.finderEmail;
  const path = `/item/${code}/email`;
  return (
    <section className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6">
      <h1 className="font-bold text-2xl">{texts.title}</h1>
      {removed && state === 'none' && (
        <Alert tone="info" title={texts.removedTitle}>
          {texts.removedText}
        </Alert>
      )}
      {state === 'unproved' && (
        <Alert tone="info" title={texts.checkTitle}>
          {texts.checkText(FINDER_PROOF_HOURS)}
        </Alert>
      )}
      {state === 'proved' ? (
        <Alert tone="info" title={texts.activeTitle}>
          {texts.activeText}
        </Alert>
      ) : (
        <form method="post" action={path} className="flex flex-col gap-4">
          <Field
            id="reply-email"
            label={texts.label}
            hint={
              state === 'unproved' ? (
                texts.nothingCame
              ) : (
                <WithName of={texts.promise} name={ownerInText(owner, language.texts)} />
              )
            }
            error={problem}
          >
            {(control) => (
              <input
                {...control}
                type="email"
                inputMode="email"
                name="email"
                required
                maxLength={254}
                defaultValue={typed}
                enterKeyHint="send"
                autoComplete="email"
                dir="ltr"
                className={inputLook(problem !== undefined)}
              />
            )}
          </Field>
          <Button type="submit" wide>
            {texts.send}
          </Button>
        </form>
      )}
      {state !== 'none' && (
        <form method="post" action={`${path}/remove`}>
          <Button type="submit" variant="outline">
            {texts.remove}
          </Button>
        </form>
      )}
      <a
        href={`/item/${code}#conversation`}
        className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
      >
        {texts.back}
      </a>
    </section>
  );
}
