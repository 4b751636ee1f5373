import { useMessages } from '#app/lib/use-messages.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { WaitingWords } from '#app/ui/waiting.tsx';
import { Told } from './told.tsx';
import { type CallbackFailure, useCallback } from './use-callback.ts';

/** Where links from e-mails and from other services' sign-in come back to. Every way it can end says what to do. */
export function CallbackScreen() {
  const { callback, common } = useMessages();
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
        <Told title={callback.confirmTitle} text={callback.confirmTexts[state.type]}>
          <Button size="large" wide busy={state.busy} onClick={state.confirm}>
            {state.busy ? callback.confirming : callback.confirm}
          </Button>
        </Told>
      );
    case 'confirmedHalf':
      return (
        <Told title={callback.oneMoreTitle} text={callback.oneMoreText}>
          <LinkButton variant="outline" to="/profile" replace>
            {callback.toProfile}
          </LinkButton>
        </Told>
      );
    case 'failed':
      return <Failed why={state.why} />;
  }
}

function Failed({ why }: { readonly why: CallbackFailure }) {
  const { callback } = useMessages();
  const { title, text } = callback.failures[why];
  return (
    <Told title={title} text={text}>
      <LinkButton to="/auth?mode=login" replace>
        {callback.toSignIn}
      </LinkButton>
    </Told>
  );
}
