import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { usePublicConfig } from '#app/client/public-config.ts';
import { publicConfigContext, visitorClientContext } from '#app/client/request-context.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { rememberTagCode, useStoredTagCode } from '#app/client/stored-tag-code.ts';
import { EMPTY_DRAFT } from '#app/features/sign-in/account-draft.ts';
import { authMode } from '#app/features/sign-in/auth-path.ts';
import { AuthScreen } from '#app/features/sign-in/auth-screen.tsx';
import { askClaim, type Claim, useClaim } from '#app/features/sign-in/use-claim.ts';
import { usePendingVerification } from '#app/features/sign-in/verify/pending-verification.ts';
import { BackLink, Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { pause } from '#app/resilience/retry-policy.ts';
import { signedInHint } from '#domain/account/signed-in-hint.ts';
import { resolveTagCode } from '#domain/tag-code/resolve-tag-code.ts';
import { isTagCode } from '#domain/tag-code/tag-code.ts';
import { signInTexts } from '#domain/texts/sign-in-texts.ts';
import type { Route } from './+types/auth.ts';

export function meta({ location, matches }: Route.MetaArgs) {
  const mode = authMode(new URLSearchParams(location.search), resolveTagCode(location) !== null);
  return [pageTitle(() => signInTexts(siteOf(matches).language).auth.titles[mode], matches)];
}

/** How long the page waits to know whether its tag code can be claimed. */
const CLAIM_WITHIN_MS = 500;

/**
 * Returns whether the cookies suggest a signed-in user, which only decides what is shown until the session is read, and
 * whether a visitor can claim the tag code in the URL, where that is known soon.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const isSignedIn = signedInHint(context.get(publicConfigContext).storagePrefix);
  const mayBeSignedIn = isSignedIn(request.headers.get('Cookie'));
  const code = mayBeSignedIn ? null : resolveTagCode(new URL(request.url));
  if (code === null || !isTagCode(code)) return { mayBeSignedIn, claim: null };
  const asked = askClaim(context.get(visitorClientContext)(), code).then(
    (claim): Claim => ({ ...claim, isLate: false }),
    () => null,
  );
  return { mayBeSignedIn, claim: await Promise.race([asked, pause(CLAIM_WITHIN_MS).then(() => null)]) };
}

/** A navigation within the app reads this from storage, and waits for nothing. */
export function clientLoader() {
  return { mayBeSignedIn: mayHaveSession(), claim: null };
}

export default function Auth({ params, loaderData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const stored = useStoredTagCode();
  const pending = usePendingVerification();
  const routeCode = params.qrId !== undefined && isTagCode(params.qrId) ? params.qrId : undefined;
  const inAddress = resolveTagCode({ pathname: `/auth/${params.qrId ?? ''}`, search: `?${query}` });
  const qrId = inAddress ?? pending?.qrId ?? stored;
  const claim = useClaim(qrId, loaderData.claim);
  const { hasMail } = usePublicConfig();
  const asked = authMode(query, qrId !== null);
  const mode = asked === 'link' && !hasMail ? 'login' : asked;
  // Kept across changes of mode only.
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
        claim={claim}
        mayBeSignedIn={loaderData.mayBeSignedIn}
        draft={draft}
        onDraft={(typed) => setDraft((before) => ({ ...before, ...typed }))}
      />
    </Page>
  );
}
