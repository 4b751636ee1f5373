import type { ReactNode } from 'react';
import { requireSession } from '#app/client/session.ts';
import { AccountsPart } from '#app/features/operate/accounts/accounts-part.tsx';
import { type ConsoleData, loadConsole, TABS, type Tab } from '#app/features/operate/console-data.ts';
import { ConsoleMenu } from '#app/features/operate/console-menu.tsx';
import { DeliveriesPart } from '#app/features/operate/deliveries-part.tsx';
import { DesksPart } from '#app/features/operate/desks/desks-part.tsx';
import { ReportsPart } from '#app/features/operate/reports-part.tsx';
import { ReturnsPart } from '#app/features/operate/returns-part.tsx';
import { ServicePart } from '#app/features/operate/service-part.tsx';
import { StickersPart } from '#app/features/operate/stickers/stickers-part.tsx';
import { useOperateTexts } from '#app/features/operate/use-operate-texts.ts';
import { NotFoundScreen } from '#app/features/site/not-found-screen.tsx';
import { BackLink, Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { LoadFailed } from '#app/resilience/load-failed.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { operateWords } from '#words/operate.ts';
import type { Route } from './+types/operate.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireSession(request);
  const asked = new URL(request.url).searchParams.get('see');
  return loadConsole(TABS.find((tab) => tab === asked) ?? 'service');
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => operateWords(siteOf(matches).language).title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function Operate({ loaderData: data }: Route.ComponentProps) {
  if (data.tab === 'refused') return data.needs === 'role' ? <NotFoundScreen /> : <NeedsSecondFactor />;
  return (
    <ConsoleFrame tab={data.tab}>
      <Part data={data} />
    </ConsoleFrame>
  );
}

function Part({ data }: { readonly data: Exclude<ConsoleData, { readonly tab: 'refused' }> }) {
  switch (data.tab) {
    case 'service':
      return <ServicePart service={data.service} />;
    case 'accounts':
      return <AccountsPart />;
    case 'reports':
      return <ReportsPart reports={data.reports} />;
    case 'stickers':
      return <StickersPart batches={data.batches} />;
    case 'desks':
      return <DesksPart desks={data.desks} />;
    case 'deliveries':
      return <DeliveriesPart failed={data.failed} />;
    case 'returns':
      return <ReturnsPart returns={data.returns} />;
  }
}

function ConsoleFrame({ tab, children }: { readonly tab: Tab | null; readonly children: ReactNode }) {
  const texts = useOperateTexts();
  return (
    <Page width="broad" signedIn start={<BackLink to="/dashboard" />}>
      <div className="flex flex-col gap-5">
        <h1 className="font-bold text-3xl">{texts.title}</h1>
        <ConsoleMenu tab={tab} />
        {children}
      </div>
    </Page>
  );
}

function NeedsSecondFactor() {
  const texts = useOperateTexts();
  return (
    <Page signedIn start={<BackLink to="/dashboard" />}>
      <div className="flex flex-col items-start gap-5">
        <h1 className="font-bold text-3xl">{texts.factorTitle}</h1>
        <p className="text-ink-soft">{texts.factorText}</p>
        <LinkButton to="/profile/security">{texts.factorLink}</LinkButton>
      </div>
    </Page>
  );
}

export function ErrorBoundary() {
  const texts = useOperateTexts();
  return (
    <ConsoleFrame tab={null}>
      <LoadFailed title={texts.loadFailed} text={texts.loadFailedText} />
    </ConsoleFrame>
  );
}
