import { ScanLine } from 'lucide-react';
import { useEffect } from 'react';
import { NavigationType, useNavigationType, useSearchParams } from 'react-router';
import { Hero } from '#app/features/landing/hero.tsx';
import { HowItWorks } from '#app/features/landing/how-it-works.tsx';
import { LandingHeader } from '#app/features/landing/landing-header.tsx';
import { PrivacyPromise } from '#app/features/landing/privacy-promise.tsx';
import { ScanButton } from '#app/features/scanner/scan-button.tsx';
import { productNameOf } from '#app/features/site/page-meta.ts';
import { SiteFooter } from '#app/features/site/site-footer.tsx';
import { authPath } from '#app/lib/auth-path.ts';
import { rememberTagCode, useStoredTagCode } from '#app/lib/stored-tag-code.ts';
import { useArrivingNotice } from '#app/lib/use-arriving-notice.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { PassingNotice } from '#app/ui/passing-notice.tsx';
import { en } from '#domain/messages/en.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import type { Route } from './+types/landing.ts';

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: en.landing.pageTitle(productNameOf(matches)) },
    { name: 'description', content: en.landing.metaDescription },
  ];
}

export default function Landing() {
  const { scanner } = useMessages();
  const [query] = useSearchParams();
  const stored = useStoredTagCode();
  const notice = useArrivingNotice();
  const scanned = resolveTagCode({ pathname: '/', search: `?${query}` });
  const code = scanned ?? stored;
  const isFirst = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    rememberTagCode(location);
  }, []);
  return (
    <>
      <LandingHeader target={authPath(code)} hasCode={code !== null} />
      {/* The first thing that a visitor sees is there at once. */}
      <main className={isFirst ? undefined : 'page-enter'}>
        <Hero
          target={authPath(code)}
          scanned={scanned}
          finderAction={
            <ScanButton
              size="large"
              variant="outline"
              className="border-on-night-soft! bg-transparent! text-on-night! hover:bg-on-night! hover:text-night!"
            >
              <ScanLine className="size-5 shrink-0" aria-hidden="true" />
              {scanner.find}
            </ScanButton>
          }
        />
        <HowItWorks />
        <PrivacyPromise />
      </main>
      <SiteFooter />
      {notice !== null && <PassingNotice text={notice} />}
    </>
  );
}
