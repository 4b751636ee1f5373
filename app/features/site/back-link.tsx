import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { useMessages } from '#app/lib/use-messages.ts';

/** The way back, before the logo. */
export function BackLink({ to }: { readonly to: string }) {
  const { item } = useMessages();
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
