import type { ReactNode } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { rememberReturnPath } from '#app/client/return-path.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { PageHeader } from '#app/ui/page-header.tsx';
import { WaitingWords } from '#app/ui/waiting.tsx';
import { useUnsettled } from '#app/ui/when-idle.ts';
import { MainMenu } from './main-menu.tsx';
import { BackLink, Page } from './page.tsx';

interface ItemFrameProps {
  readonly signedIn: boolean;
  readonly width: 'narrow' | 'broad' | 'wide' | 'bare';
  readonly children: ReactNode;
}

/** The frame of an item's page: the back link, and a sign-in link for visitors. */
export function ItemFrame({ signedIn, width, children }: ItemFrameProps) {
  const { item } = useTexts();
  return (
    <Page
      width={width}
      signedIn={signedIn}
      start={<BackLink to={signedIn ? '/dashboard' : '/'} />}
      {...(!signedIn && {
        actions: (
          <LinkButton variant="quiet" to="/auth?mode=login" onClick={() => rememberReturnPath(location.href)}>
            {item.logIn}
          </LinkButton>
        ),
      })}
    >
      {children}
    </Page>
  );
}

/** The `HydrateFallback` of an item's page: its header is there at once. */
export function ItemLoading({ signedIn }: { readonly signedIn: boolean }) {
  const { common } = useTexts();
  const { productName } = usePublicConfig();
  useUnsettled();
  const home = signedIn ? '/dashboard' : '/';
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHeader name={productName} home={home} start={<BackLink to={home} />} menu={signedIn && <MainMenu />} />
      <main className="grid flex-1 place-content-center p-6">
        <WaitingWords text={common.loading} withoutScript={common.needsScript} />
      </main>
    </div>
  );
}
