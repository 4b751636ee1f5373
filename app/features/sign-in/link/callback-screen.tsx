import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { WaitingWords } from '#app/ui/waiting.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { accountLinksWords } from '#words/account-links.ts';
import { signInWords } from '#words/sign-in.ts';
import { ResultCard } from './result-card.tsx';
import { type CallbackFailure, useCallback } from './use-callback.ts';

/** The page that links in emails and sign-ins with providers return to. Each outcome says what to do next. */
export function CallbackScreen() {
  const { common } = useTexts();
  const texts = accountLinksWords(useLanguage()).callback;
  const state = useCallback();

  switch (state.at) {
    case 'reading':
    case 'exchanging':
      return (
        <WaitingWords
          text={state.at === 'reading' ? common.loading : texts.signingIn}
          withoutScript={common.needsScript}
          className="py-16"
        />
      );
    case 'asking':
      return (
        <ResultCard title={texts.confirmTitle} text={texts.confirmTexts[state.type]}>
          {state.account !== null && (
            <p className="break-words">
              <WithName of={texts.addsToAccount} name={state.account} />
            </p>
          )}
          <Button size="large" wide busy={state.busy} onClick={state.confirm}>
            {state.busy ? texts.confirming : texts.confirm}
          </Button>
        </ResultCard>
      );
    case 'confirmedHalf':
      return (
        <ResultCard title={texts.oneMoreTitle} text={texts.oneMoreText}>
          <LinkButton variant="outline" to="/profile" replace>
            {texts.toProfile}
          </LinkButton>
        </ResultCard>
      );
    case 'failed':
      return <Failed why={state.why} />;
  }
}

/** These are mended by opening the link in an email. Without a mail server, an operator makes it. */
const NEEDS_EMAIL: ReadonlySet<CallbackFailure> = new Set(['accountExists', 'nothing']);

function Failed({ why }: { readonly why: CallbackFailure }) {
  const language = useLanguage();
  const { hasMail } = usePublicConfig();
  const texts = accountLinksWords(language).callback;
  const { title, text } = texts.failures[why];
  const isMailed = hasMail || !NEEDS_EMAIL.has(why);
  return (
    <ResultCard title={title} text={isMailed ? text : signInWords(language).verification.askOperator}>
      <LinkButton to="/auth?mode=login" replace>
        {texts.toSignIn}
      </LinkButton>
    </ResultCard>
  );
}
