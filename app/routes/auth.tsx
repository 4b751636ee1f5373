import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { authMode } from '#app/features/account/auth-path.ts';
import { AuthScreen } from '#app/features/account/auth-screen.tsx';
import { usePendingVerification } from '#app/features/account/pending-verification.ts';
import { BackLink } from '#app/features/site/back-link.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { rememberTagCode, useStoredTagCode } from '#app/lib/stored-tag-code.ts';
import { en } from '#domain/messages/en.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import { isTagCode } from '#domain/tag-code.ts';
import type { Route } from './+types/auth.ts';

export function meta({ location, matches }: Route.MetaArgs) {
  const mode = authMode(new URLSearchParams(location.search), resolveTagCode(location) !== null);
  return [pageTitle(en.auth.titles[mode], matches)];
}

export default function Auth({ params }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const stored = useStoredTagCode();
  const pending = usePendingVerification();
  const routeCode = params.qrId !== undefined && isTagCode(params.qrId) ? params.qrId : undefined;
  const inAddress = resolveTagCode({ pathname: `/auth/${params.qrId ?? ''}`, search: `?${query}` });
  const qrId = inAddress ?? pending?.qrId ?? stored;
  const mode = authMode(query, qrId !== null);
  // Outlives the change of mode, and nothing else.
  const [resetEmail, setResetEmail] = useState('');

  useEffect(() => {
    rememberTagCode(location);
  }, []);

  return (
    <Page start={<BackLink to="/" />}>
      <AuthScreen
        key={mode}
        mode={mode}
        qrId={qrId}
        routeCode={routeCode}
        resetEmail={resetEmail}
        onForgotPassword={setResetEmail}
      />
    </Page>
  );
}
