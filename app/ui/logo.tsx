import { classNames } from './class-names.ts';

/** The mark: a luggage tag whose two halves meet in one dot. */
export function LogoMark({ className = 'size-9' }: { readonly className?: string }) {
  return (
    <svg className={className} viewBox="0 0 36 36" aria-hidden="true">
      <path
        d="M13.2 3.5h9.6c1.1 0 2.1.4 2.9 1.2l5.6 5.6c.8.8 1.2 1.8 1.2 2.9v15.1a4.2 4.2 0 0 1-4.2 4.2H7.7a4.2 4.2 0 0 1-4.2-4.2V13.2c0-1.1.4-2.1 1.2-2.9l5.6-5.6c.8-.8 1.8-1.2 2.9-1.2Z"
        className="fill-tag"
      />
      <circle cx="18" cy="9.4" r="2.4" className="fill-on-tag" />
      <path
        d="M10.2 21.2a7.8 7.8 0 0 1 5-6.2M25.8 21.2a7.8 7.8 0 0 0-5-6.2M10.6 24.2a7.8 7.8 0 0 0 14.8 0"
        className="stroke-on-tag"
        fill="none"
        strokeWidth="2.7"
        strokeLinecap="round"
      />
      <circle cx="18" cy="21.7" r="2.7" className="fill-on-tag" />
    </svg>
  );
}

export function Logo({ name, className }: { readonly name: string; readonly className?: string }) {
  return (
    <span className={classNames('inline-flex items-center gap-2.5 font-bold text-lg tracking-tight', className)}>
      <LogoMark />
      {name}
    </span>
  );
}
