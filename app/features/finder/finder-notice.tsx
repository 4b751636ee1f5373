import { Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#app/ui/button.tsx';

interface FinderNoticeProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: { readonly href: string; readonly label: string } | undefined;
  /** A button that posts to the page's own address. */
  readonly button?: string | undefined;
  readonly children?: ReactNode;
}

/** The content of a page without an item. */
export function FinderNotice({ title, text, action, button, children }: FinderNoticeProps) {
  return (
    <section className="mx-auto flex w-full max-w-md flex-col items-center gap-4 px-6 py-16 text-center">
      <span className="grid size-18 place-content-center rounded-lg bg-tag text-on-tag">
        <Tag className="size-9" aria-hidden="true" />
      </span>
      <h1 className="font-bold text-2xl">{title}</h1>
      <p className="text-ink-soft">{text}</p>
      {action && (
        <a
          href={action.href}
          className="inline-flex min-h-12 items-center rounded-md bg-primary px-5 font-semibold text-on-primary hover:bg-primary-strong"
        >
          {action.label}
        </a>
      )}
      {button !== undefined && (
        <form method="post">
          <Button type="submit">{button}</Button>
        </form>
      )}
      {children}
    </section>
  );
}
