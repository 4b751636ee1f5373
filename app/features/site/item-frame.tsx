import type { ReactNode } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { BackLink, Page } from './page.tsx';

interface ItemFrameProps {
  readonly signedIn: boolean;
  readonly width: 'narrow' | 'broad' | 'wide' | 'bare';
  readonly children: ReactNode;
}

/** The frame of an item's page: the back link, and a sign-in link for visitors. */
export function ItemFrame({ signedIn, width, children }: ItemFrameProps) {
  const { item } = useTexts();
  const home = signedIn ? '/dashboard' : '/';
  return (
    <Page
      width={width}
      home={home}
      start={<BackLink to={home} />}
      actions={
        !signedIn && (
          <LinkButton variant="quiet" to="/auth?mode=login">
            {item.logIn}
          </LinkButton>
        )
      }
    >
      {children}
    </Page>
  );
}
