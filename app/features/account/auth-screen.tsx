import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { NeedsScript } from '#app/ui/needs-script.tsx';
import { type AuthMode, authModePath } from './auth-path.ts';
import { usePendingVerification } from './pending-verification.ts';
import { RegisterForm } from './register-form.tsx';
import { ResetForm } from './reset-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { VerificationForm } from './verification-form.tsx';

interface AuthScreenProps {
  readonly mode: AuthMode;
  /** The code in hand, from the address or from earlier in this tab. */
  readonly qrId: string | null;
  /** The code in the path, which switching between modes keeps there. */
  readonly routeCode: string | undefined;
}

export function AuthScreen({ mode, qrId, routeCode }: AuthScreenProps) {
  const { auth, common, verification } = useMessages();
  const pending = usePendingVerification();

  if (pending !== null) {
    return (
      <Card className="flex flex-col gap-2">
        <h1 className="font-bold text-2xl">{verification.title}</h1>
        <VerificationForm pending={pending} />
      </Card>
    );
  }

  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-1.5">
        <h1 className="font-bold text-3xl">{auth.titles[mode]}</h1>
        <p className="text-ink-soft">{auth.leads[mode]}</p>
      </div>
      {mode === 'register' && qrId !== null && <Alert tone="info">{auth.qrBanner(qrId)}</Alert>}
      <NeedsScript>{common.needsScript}</NeedsScript>
      <Card>
        {/* Each mode is a form of its own, so switching clears what was typed wrong. */}
        {mode === 'login' && <SignInForm qrId={qrId} routeCode={routeCode} />}
        {mode === 'register' && <RegisterForm qrId={qrId} />}
        {mode === 'reset' && <ResetForm />}
      </Card>
      <ModeLinks mode={mode} routeCode={routeCode} />
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
