import { Link, useRouteLoaderData } from 'react-router';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { WithName } from '#app/ui/with-name.tsx';
import type { Brand } from '#domain/brand/brand.ts';

const LINK = 'inline-flex min-h-11 items-center rounded-md px-3 hover:text-primary hover:underline';

/** The footer of every page of the app. */
export function SiteFooter() {
  const { footer, language } = useTexts();
  const { productName } = usePublicConfig();
  const root = useRouteLoaderData<{ brand: Brand }>('root');
  const links = [
    { to: '/privacy', text: footer.privacy },
    { to: '/terms', text: footer.terms },
    { to: '/faq', text: footer.faq },
  ];
  return (
    <footer className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-6 text-ink-soft text-sm sm:px-6">
      {/* On New Year's Eve, or with a wrong clock, the server's year differs from the browser's. */}
      <p suppressHydrationWarning>
        <WithName
          of={(product) => footer.copyright({ year: String(new Date().getFullYear()), product })}
          name={productName}
        />
      </p>
      <nav className="-mx-3 flex flex-wrap">
        {links.map(({ to, text }) => (
          <Link key={to} to={to} className={LINK}>
            {text}
          </Link>
        ))}
        {root?.brand.links.map(({ text, url }) => (
          <a key={url} href={url} dir="auto" className={LINK}>
            {text}
          </a>
        ))}
        {/* A document of its own, which works without a script and returns to this page. */}
        <a href="/language" className={LINK}>
          {language.link}
        </a>
      </nav>
    </footer>
  );
}
