import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { EMPTY_DRAFT } from '#app/features/account/account-draft.ts';
import { authMode } from '#app/features/account/auth-path.ts';
import { AuthScreen } from '#app/features/account/auth-screen.tsx';
import { usePendingVerification } from '#app/features/account/pending-verification.ts';
import { BackLink } from '#app/features/site/back-link.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { publicConfigContext } from '#app/lib/request-context.ts';
import { mayHaveSession } from '#app/lib/session.ts';
import { rememberTagCode, useStoredTagCode } from '#app/lib/stored-tag-code.ts';
import { en } from '#domain/messages/en.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import { signedInHint } from '#domain/signed-in-hint.ts';
import { isTagCode } from '#domain/tag-code.ts';
import type { Route } from './+types/auth.ts';

export function meta({ location, matches }: Route.MetaArgs) {
  const mode = authMode(new URLSearchParams(location.search), resolveTagCode(location) !== null);
  return [pageTitle(en.auth.titles[mode], matches)];
}

/** Whether the browser says that its owner is signed in, which decides only what is shown until the session is read. */
export function loader({ request, context }: Route.LoaderArgs) {
  const isSignedIn = signedInHint(context.get(publicConfigContext).storagePrefix);
  return { mayBeSignedIn: isSignedIn(request.headers.get('Cookie')) };
}

/** A navigation inside the app knows without the server. */
export function clientLoader() {
  return { mayBeSignedIn: mayHaveSession() };
}

export default function Auth({ params, loaderData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const stored = useStoredTagCode();
  const pending = usePendingVerification();
  const routeCode = params.qrId !== undefined && isTagCode(params.qrId) ? params.qrId : undefined;
  const inAddress = resolveTagCode({ pathname: `/auth/${params.qrId ?? ''}`, search: `?${query}` });
  const qrId = inAddress ?? pending?.qrId ?? stored;
  const mode = authMode(query, qrId !== null);
  // Outlives the change of mode, and nothing else.
  const [draft, setDraft] = useState(EMPTY_DRAFT);

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
        mayBeSignedIn={loaderData.mayBeSignedIn}
        draft={draft}
        onDraft={(typed) => setDraft((before) => ({ ...before, ...typed }))}
      />
    </Page>
  );
}
