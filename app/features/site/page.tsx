import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { usePublicConfig } from '#app/client/public-config.ts';
import { LogOutButton } from '#app/client/session/log-out-button.tsx';
import { useTexts } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { PageHeader } from '#app/ui/page-header.tsx';
import { MainMenu } from './main-menu.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { SiteFooter } from './site-footer.tsx';

interface PageProps {
  /** `bare` leaves width and margins to the content. */
  readonly width?: 'narrow' | 'text' | 'broad' | 'wide' | 'bare';
  /** Shows the main menu and the way to sign out. */
  readonly signedIn?: boolean;
  /** Before the logo, such as a back link. */
  readonly start?: ReactNode;
  /** At the end of the header, such as a sign-in link. For a signed-in user it is the button that signs out. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

const WIDTHS = {
  narrow: 'mx-auto max-w-lg px-4 sm:px-6',
  text: 'mx-auto max-w-2xl px-4 sm:px-6',
  broad: 'mx-auto max-w-3xl px-4 sm:px-6',
  wide: 'mx-auto max-w-6xl px-4 sm:px-6',
  bare: '',
};

/** Header, content and footer: the frame of every page but the landing page and the finder's. */
export function Page({ width = 'narrow', signedIn = false, start, actions, children }: PageProps) {
  const { productName } = usePublicConfig();
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHeader name={productName} home={signedIn ? '/dashboard' : '/'} start={start} menu={signedIn && <MainMenu />}>
        {actions ?? (signedIn && <LogOutButton />)}
      </PageHeader>
      <main className={classNames('page-enter w-full flex-1 pt-4 pb-12 sm:pt-8', WIDTHS[width])}>{children}</main>
      <SiteFooter />
      {signedIn && <Shortcuts />}
    </div>
  );
}

/** The back link, before the logo. */
export function BackLink({ to }: { readonly to: string }) {
  const { item } = useTexts();
  return (
    <Link
      to={to}
      aria-label={item.back}
      className="-ms-2 grid size-11 place-content-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <ArrowLeft className="size-5 rtl:-scale-x-100" aria-hidden="true" />
    </Link>
  );
}
