import { Link } from 'react-router';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';

/** Stands under every page of the app. */
export function SiteFooter() {
  const { footer } = useMessages();
  const { productName } = usePublicConfig();
  const links = [
    { to: '/privacy', text: footer.privacy },
    { to: '/terms', text: footer.terms },
    { to: '/faq', text: footer.faq },
  ];
  return (
    <footer className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-6 text-ink-soft text-sm sm:px-6">
      {/* On New Year's Eve, or by a clock that is wrong, the server's year is another than the browser's. */}
      <p suppressHydrationWarning>{footer.copyright(new Date().getFullYear(), productName)}</p>
      <nav className="-mx-3 flex flex-wrap">
        {links.map(({ to, text }) => (
          <Link
            key={to}
            to={to}
            className="inline-flex min-h-11 items-center rounded-md px-3 hover:text-primary hover:underline"
          >
            {text}
          </Link>
        ))}
      </nav>
    </footer>
  );
}
