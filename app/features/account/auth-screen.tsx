import type { ReactNode } from 'react';
import { useState } from 'react';
import { SecondFactorForm } from '#app/lib/account/second-factor-form.tsx';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { NeedsScript } from '#app/ui/needs-script.tsx';
import { WaitingWords } from '#app/ui/waiting.tsx';
import { type AuthMode, authModePath } from './auth-path.ts';
import { FreeStickerNote } from './free-sticker-note.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { usePendingVerification } from './pending-verification.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { readRecoveryLink, useFragment } from './recovery-link.ts';
import { RegisterForm } from './register-form.tsx';
import { ResetForm } from './reset-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useSignInEnd } from './use-sign-in-end.ts';
import { VerificationForm } from './verification-form.tsx';

interface AuthScreenProps {
  readonly mode: AuthMode;
  /** The code in hand, from the address or from earlier in this tab. */
  readonly qrId: string | null;
  /** The code in the path, which switching between modes keeps there. */
  readonly routeCode: string | undefined;
  /** The address that was typed before its password turned out to be forgotten, or ''. */
  readonly resetEmail: string;
  readonly onForgotPassword: (email: string) => void;
}

export function AuthScreen({ mode, qrId, routeCode, resetEmail, onForgotPassword }: AuthScreenProps) {
  const { auth, common, newPassword, secondFactor, verification } = useMessages();
  const pending = usePendingVerification();
  const hydrated = useHydrated();
  const fragment = useFragment();
  const link = mode === 'reset' ? readRecoveryLink(fragment) : null;
  const [spent, setSpent] = useState(false);
  const { owesFactor, signedIn, goOn, giveUp } = useSignInEnd(qrId, mode !== 'reset');

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
        <VerificationForm pending={pending} />
      </Card>
    );
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
      {mode === 'register' && qrId !== null && <Alert tone="info">{auth.qrBanner(qrId)}</Alert>}
      {/* The path of a code is where a scan of a free sticker leads. */}
      {mode === 'register' && routeCode !== undefined && <FreeStickerNote code={routeCode} />}
      {link !== null && (
        <Alert tone="warning" title={newPassword.expiredTitle}>
          {newPassword.expiredText}
        </Alert>
      )}
      <Card>
        {/* Each mode is a form of its own, so switching clears what was typed wrong. */}
        {mode === 'login' && (
          <SignInForm qrId={qrId} routeCode={routeCode} onSignedIn={signedIn} onForgotPassword={onForgotPassword} />
        )}
        {mode === 'register' && <RegisterForm qrId={qrId} />}
        {mode === 'reset' && <ResetForm email={resetEmail} />}
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
  return (
    <p className="flex flex-wrap items-center justify-center gap-2">
      {mode !== 'login' && (
        <LinkButton variant="quiet" to={authModePath(routeCode, 'login')}>
          {auth.alreadyHaveAccount}
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
