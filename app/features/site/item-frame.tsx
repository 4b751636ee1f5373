import type { ReactNode } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { BackLink } from './back-link.tsx';
import { Page } from './page.tsx';

interface ItemFrameProps {
  readonly signedIn: boolean;
  readonly width: 'narrow' | 'broad' | 'wide' | 'bare';
  readonly children: ReactNode;
}

/** The frame of an item's page: the way back, and signing in for whoever is not. */
export function ItemFrame({ signedIn, width, children }: ItemFrameProps) {
  const { item } = useMessages();
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
