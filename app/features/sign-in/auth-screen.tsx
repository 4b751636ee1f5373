import type { ReactNode } from 'react';
import { useState } from 'react';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { NeedsScript, WaitingWords } from '#app/ui/waiting.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { SecondFactorForm } from '#app/verification/second-factor-form.tsx';
import { durationIn } from '#domain/texts/duration.ts';
import { type DraftProps, draftAfter } from './account-draft.ts';
import { type AuthMode, authModePath } from './auth-path.ts';
import { EmailSignInForm } from './email-sign-in-form.tsx';
import { NewPasswordForm } from './link/new-password-form.tsx';
import { readRecoveryLink, useFragment } from './link/recovery-link.ts';
import { PhoneSignInForm } from './phone-sign-in-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { RegisterForm } from './register/register-form.tsx';
import { ResetForm } from './reset-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { StickerNotice, TakenSticker, UnknownSticker } from './sticker-notice.tsx';
import type { Claim } from './use-claim.ts';
import { useSignInEnd } from './use-sign-in-end.ts';
import { usePendingVerification } from './verify/pending-verification.ts';
import { VerificationForm } from './verify/verification-form.tsx';

interface AuthScreenProps extends DraftProps {
  readonly mode: AuthMode;
  /** The tag code from the URL or stored earlier in this tab. */
  readonly qrId: string | null;
  /** The code in the path, which is kept when switching modes. */
  readonly routeCode: string | undefined;
  /** Whether a visitor can claim the tag code; null without one, and while it is not known. */
  readonly claim: Claim | null;
  /** Whether a user is probably signed in, so that the form waits until the session is read. */
  readonly mayBeSignedIn: boolean;
}

export function AuthScreen({ mode, qrId, routeCode, claim, mayBeSignedIn, draft, onDraft }: AuthScreenProps) {
  const { tag } = useLanguage();
  const { auth, common, newPassword, secondFactor, verification } = useSignInTexts();
  const pending = usePendingVerification();
  const hydrated = useHydrated();
  const fragment = useFragment();
  const link = mode === 'reset' ? readRecoveryLink(fragment) : null;
  const { hasMail, linkLifeSeconds } = usePublicConfig();
  const canBeClaimed = claim?.isPossible !== false;
  const [spent, setSpent] = useState(false);
  const { isSettled, owesFactor, signedIn, recovered, giveUp } = useSignInEnd({
    qrId,
    canBeClaimed,
    leavesWhenSignedIn: mode !== 'reset',
    mayBeSignedIn,
  });

  const signsIn = mode === 'login' || mode === 'link' || mode === 'phone';
  const unknownSticker =
    signsIn && qrId !== null && !canBeClaimed ? (
      claim?.isTaken ? (
        <TakenSticker code={qrId} />
      ) : (
        <UnknownSticker text={<WithName of={auth.notOurStickerSignIn} name={qrId} />} />
      )
    ) : null;

  if (mode === 'reset' && !hydrated) {
    // The link's purpose is in the URL's fragment, which the server does not receive.
    return <WaitingWords text={common.loading} withoutScript={common.needsScript} className="py-16" />;
  }
  if (link?.kind === 'open' && !spent) {
    return (
      <Titled title={newPassword.title} lead={newPassword.lead}>
        <Card>
          <NewPasswordForm tokenHash={link.tokenHash} onExpired={() => setSpent(true)} onSaved={recovered} />
        </Card>
      </Titled>
    );
  }
  if (pending !== null) {
    return (
      <Card className="flex flex-col gap-2">
        <h1 className="font-bold text-2xl">{verification.title}</h1>
        {/* A code that is sent again gets an empty field. */}
        <VerificationForm key={pending.sentAt} pending={pending} onGiveUp={() => onDraft(draftAfter(pending, draft))} />
      </Card>
    );
  }
  // The link that an operator makes instead of an email leads here, too.
  if (mode === 'reset' && !hasMail) {
    return (
      <Titled title={link === null ? auth.titles.reset : newPassword.expiredTitle} lead={auth.leads.resetByOperator}>
        <ModeLinks mode={mode} routeCode={routeCode} />
      </Titled>
    );
  }
  if (!isSettled) {
    return <WaitingWords text={common.loading} withoutScript={common.needsScript} className="py-16" />;
  }
  if (owesFactor) {
    return (
      <Card className="flex flex-col gap-2">
        <h1 className="font-bold text-2xl">{secondFactor.title}</h1>
        <SecondFactorForm onProved={signedIn} />
        <Button variant="quiet" className="px-3! text-sm!" onClick={() => void giveUp()}>
          {secondFactor.cancel}
        </Button>
      </Card>
    );
  }
  return (
    <Titled title={auth.titles[mode]} lead={auth.leads[mode]}>
      {mode === 'register' && qrId !== null && <StickerNotice code={qrId} routeCode={routeCode} claim={claim} />}
      {unknownSticker !== null && !claim?.isLate && unknownSticker}
      {link !== null && (
        <Alert tone="warning" title={newPassword.expiredTitle}>
          {newPassword.expiredText(durationIn(tag, linkLifeSeconds))}
        </Alert>
      )}
      <Card>
        {/* Each mode is a separate form, so switching clears its errors. */}
        {mode === 'login' && (
          <SignInForm qrId={qrId} routeCode={routeCode} draft={draft} onDraft={onDraft} onSignedIn={signedIn} />
        )}
        {mode === 'link' && <EmailSignInForm draft={draft} onDraft={onDraft} onSignedIn={signedIn} />}
        {mode === 'phone' && <PhoneSignInForm onSignedIn={signedIn} />}
        {mode === 'register' && (
          <RegisterForm
            qrId={canBeClaimed ? qrId : null}
            signInPath={authModePath(routeCode, 'login')}
            draft={draft}
            onDraft={onDraft}
          />
        )}
        {mode === 'reset' && <ResetForm draft={draft} onDraft={onDraft} />}
        {mode !== 'reset' && <ProviderButtons />}
      </Card>
      {/* Known late, below the form, which then stays in its place. */}
      {unknownSticker !== null && claim?.isLate && unknownSticker}
      <ModeLinks mode={mode} routeCode={routeCode} />
    </Titled>
  );
}

interface TitledProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

function Titled({ title, lead, children }: TitledProps) {
  const { common } = useSignInTexts();
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-1.5">
        <h1 className="font-bold text-3xl">{title}</h1>
        <p className="text-ink-soft">{lead}</p>
      </div>
      <NeedsScript>{common.needsScript}</NeedsScript>
      {children}
    </div>
  );
}

function ModeLinks({ mode, routeCode }: Pick<AuthScreenProps, 'mode' | 'routeCode'>) {
  const { auth } = useSignInTexts();
  const { codesGoBySms } = usePublicConfig();
  return (
    <p className="flex flex-wrap items-center justify-center gap-2">
      {mode !== 'login' && (
        <LinkButton variant="quiet" to={authModePath(routeCode, 'login')}>
          {mode === 'link' || mode === 'phone' ? auth.signInByPassword : auth.alreadyHaveAccount}
        </LinkButton>
      )}
      {mode !== 'register' && mode !== 'phone' && codesGoBySms && (
        <LinkButton variant="quiet" to={authModePath(routeCode, 'phone')}>
          {auth.signInByPhone}
        </LinkButton>
      )}
      {mode !== 'register' && (
        <LinkButton variant="quiet" to={authModePath(routeCode, 'register')}>
          {auth.createAccount}
        </LinkButton>
      )}
    </p>
  );
}
