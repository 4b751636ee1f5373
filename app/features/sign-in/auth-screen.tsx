import type { ReactNode } from 'react';
import { useState } from 'react';
import { SecondFactorForm } from '#app/lib/account/second-factor-form.tsx';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { NeedsScript } from '#app/ui/needs-script.tsx';
import { WaitingWords } from '#app/ui/waiting.tsx';
import { isClaimableTagCode } from '#domain/tag-code.ts';
import { type DraftProps, draftAfter } from './account-draft.ts';
import { type AuthMode, authModePath } from './auth-path.ts';
import { FreeStickerNote } from './free-sticker-note.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { usePendingVerification } from './pending-verification.ts';
import { PhoneSignInForm } from './phone-sign-in-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { readRecoveryLink, useFragment } from './recovery-link.ts';
import { RegisterForm } from './register-form.tsx';
import { ResetForm } from './reset-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useSignInEnd } from './use-sign-in-end.ts';
import { VerificationForm } from './verification-form.tsx';

interface AuthScreenProps extends DraftProps {
  readonly mode: AuthMode;
  /** The code in hand, from the address or from earlier in this tab. */
  readonly qrId: string | null;
  /** The code in the path, which switching between modes keeps there. */
  readonly routeCode: string | undefined;
  /** Somebody is probably signed in, so what follows waits until the session is read. */
  readonly mayBeSignedIn: boolean;
}

export function AuthScreen({ mode, qrId, routeCode, mayBeSignedIn, draft, onDraft }: AuthScreenProps) {
  const { auth, common, newPassword, secondFactor, verification } = useMessages();
  const pending = usePendingVerification();
  const hydrated = useHydrated();
  const fragment = useFragment();
  const link = mode === 'reset' ? readRecoveryLink(fragment) : null;
  const { development } = usePublicConfig();
  // The database lets a development server claim any code.
  const claimable = qrId !== null && (development || isClaimableTagCode(qrId)) ? qrId : null;
  const [spent, setSpent] = useState(false);
  const { isSettled, owesFactor, signedIn, goOn, giveUp } = useSignInEnd(qrId, mode !== 'reset', mayBeSignedIn);

  if (mode === 'reset' && !hydrated) {
    // What the link is for stands in its fragment, which no server is told.
    return <WaitingWords text={common.loading} withoutScript={common.needsScript} className="py-16" />;
  }
  if (link?.kind === 'open' && !spent) {
    return (
      <Titled title={newPassword.title} lead={newPassword.lead}>
        <Card>
          <NewPasswordForm tokenHash={link.tokenHash} onExpired={() => setSpent(true)} onSaved={goOn} />
        </Card>
      </Titled>
    );
  }
  if (pending !== null) {
    return (
      <Card className="flex flex-col gap-2">
        <h1 className="font-bold text-2xl">{verification.title}</h1>
        <VerificationForm pending={pending} onGiveUp={() => onDraft(draftAfter(pending, draft))} />
      </Card>
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
      {mode === 'register' && qrId !== null && claimable === null && (
        <Alert tone="warning" title={auth.notOurStickerTitle}>
          {auth.notOurStickerText(qrId)}
        </Alert>
      )}
      {mode === 'register' && claimable !== null && <Alert tone="info">{auth.qrBanner(claimable)}</Alert>}
      {/* The path of a code is where a scan of a free sticker leads. */}
      {mode === 'register' && routeCode !== undefined && claimable !== null && <FreeStickerNote code={routeCode} />}
      {link !== null && (
        <Alert tone="warning" title={newPassword.expiredTitle}>
          {newPassword.expiredText}
        </Alert>
      )}
      <Card>
        {/* Each mode is a form of its own, so switching clears what was typed wrong. */}
        {mode === 'login' && (
          <SignInForm qrId={qrId} routeCode={routeCode} draft={draft} onDraft={onDraft} onSignedIn={signedIn} />
        )}
        {mode === 'phone' && <PhoneSignInForm onSignedIn={signedIn} />}
        {mode === 'register' && (
          <RegisterForm
            qrId={claimable}
            signInPath={authModePath(routeCode, 'login')}
            draft={draft}
            onDraft={onDraft}
          />
        )}
        {mode === 'reset' && <ResetForm draft={draft} onDraft={onDraft} />}
        {mode !== 'reset' && <ProviderButtons />}
      </Card>
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
  const { common } = useMessages();
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
  const { auth } = useMessages();
  const { codesGoBySms } = usePublicConfig();
  return (
    <p className="flex flex-wrap items-center justify-center gap-2">
      {mode !== 'login' && (
        <LinkButton variant="quiet" to={authModePath(routeCode, 'login')}>
          {auth.alreadyHaveAccount}
        </LinkButton>
      )}
      {(mode === 'login' || mode === 'reset') && codesGoBySms && (
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
