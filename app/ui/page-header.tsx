import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Logo } from './logo.tsx';

interface PageHeaderProps {
  readonly name: string;
  /** Where the logo links to. */
  readonly home: string;
  /** Before the logo, such as a back link. */
  readonly start?: ReactNode;
  /** After the logo. */
  readonly menu?: ReactNode;
  /** At the end of the line, such as a sign-in link. */
  readonly children?: ReactNode;
}

export function PageHeader({ name, home, start, menu, children }: PageHeaderProps) {
  return (
    <header className="mx-auto flex w-full max-w-6xl flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-6">
      {start}
      <Link to={home} className="inline-flex min-h-11 items-center rounded-sm">
        <Logo name={name} />
      </Link>
      {menu}
      <div className="-me-3 ms-auto flex min-h-12 flex-wrap items-center max-[372px]:[&_svg]:hidden max-sm:[&>*]:px-3 sm:me-0 sm:gap-2">
        {children}
      </div>
    </header>
  );
}
