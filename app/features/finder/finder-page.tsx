import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { LogoMark } from '#app/ui/logo.tsx';
import type { Brand } from '#domain/brand/brand.ts';
import type { FinderViewLanguage } from '#domain/finder-language.ts';

interface FinderPageProps {
  readonly productName: string;
  readonly brand: Pick<Brand, 'sentence' | 'links'>;
  readonly language: FinderViewLanguage;
  readonly signedIn: boolean;
  readonly children: ReactNode;
}

/** The frame of the finder's document. Its links are plain, because the document has no router. */
export function FinderPage({ productName, brand, language, signedIn, children }: FinderPageProps) {
  const { item, footer } = language.texts;
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex w-full max-w-xl flex-wrap items-center gap-1 px-2 py-2 sm:px-4">
        <a
          href="/"
          aria-label={item.back}
          className="grid size-11 place-content-center rounded-md text-ink-soft hover:text-ink"
        >
          <ArrowLeft className="rtl:rotate-180" aria-hidden="true" />
        </a>
        <span className="flex min-w-0 items-center gap-2 font-bold text-lg tracking-tight">
          <LogoMark className="size-8 shrink-0" />
          <span translate="no" className="truncate">
            {productName}
          </span>
        </span>
        <a
          href={signedIn ? '/dashboard' : '/auth?mode=login'}
          // For a signed-in user the script leads it to their items.
          data-signed-in={item.yourItems}
          className="ms-auto inline-flex min-h-11 shrink-0 items-center rounded-md px-3 font-semibold text-primary hover:bg-primary-soft"
        >
          {signedIn ? item.yourItems : item.logIn}
        </a>
      </header>
      <main className="flex-1 pt-1">{children}</main>
      <footer className="mx-auto flex w-full max-w-xl flex-wrap justify-center gap-x-2 px-4 pb-6">
        {brand.sentence !== null && (
          <p dir="auto" className="w-full text-center text-ink-soft text-sm">
            {brand.sentence}
          </p>
        )}
        <FooterLink href="/privacy">{footer.privacy}</FooterLink>
        <FooterLink href="/terms">{footer.terms}</FooterLink>
        <FooterLink href="/faq">{footer.faq}</FooterLink>
        {brand.links.map(({ text, url }) => (
          <FooterLink key={url} href={url}>
            {text}
          </FooterLink>
        ))}
        <FooterLink href="/language">{language.texts.language.link}</FooterLink>
      </footer>
    </div>
  );
}

function FooterLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} className="inline-flex min-h-11 items-center px-3 text-ink-soft text-sm underline hover:text-ink">
      {children}
    </a>
  );
}
