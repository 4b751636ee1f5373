import { useTexts } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { WaitingWords } from '#app/ui/waiting.tsx';
import { ResultCard } from './result-card.tsx';
import { type CallbackFailure, useCallback } from './use-callback.ts';

/** The page that links in emails and sign-ins with providers return to. Each outcome says what to do next. */
export function CallbackScreen() {
  const { callback, common } = useTexts();
  const state = useCallback();

  switch (state.at) {
    case 'reading':
    case 'exchanging':
      return (
        <WaitingWords
          text={state.at === 'reading' ? common.loading : callback.signingIn}
          withoutScript={common.needsScript}
          className="py-16"
        />
      );
    case 'asking':
      return (
        <ResultCard title={callback.confirmTitle} text={callback.confirmTexts[state.type]}>
          {state.account !== null && <p className="break-words">{callback.addsToAccount(state.account)}</p>}
          <Button size="large" wide busy={state.busy} onClick={state.confirm}>
            {state.busy ? callback.confirming : callback.confirm}
          </Button>
        </ResultCard>
      );
    case 'confirmedHalf':
      return (
        <ResultCard title={callback.oneMoreTitle} text={callback.oneMoreText}>
          <LinkButton variant="outline" to="/profile" replace>
            {callback.toProfile}
          </LinkButton>
        </ResultCard>
      );
    case 'failed':
      return <Failed why={state.why} />;
  }
}

function Failed({ why }: { readonly why: CallbackFailure }) {
  const { callback } = useTexts();
  const { title, text } = callback.failures[why];
  return (
    <ResultCard title={title} text={text}>
      <LinkButton to="/auth?mode=login" replace>
        {callback.toSignIn}
      </LinkButton>
    </ResultCard>
  );
}
