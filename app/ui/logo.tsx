import { classNames } from './class-names.ts';

/** The logo: a luggage tag with an eye. Where the operator has one, their styles show it by `data-logo`. */
export function LogoMark({ className = 'size-9' }: { readonly className?: string }) {
  return (
    <svg data-logo="" className={className} viewBox="0 0 36 36" aria-hidden="true">
      <path
        d="M13.5 2h9c1.3 0 2.6.5 3.5 1.5l5.5 5.5c1 .9 1.5 2.2 1.5 3.5v17a4.5 4.5 0 0 1-4.5 4.5h-21A4.5 4.5 0 0 1 3 29.5v-17C3 11.2 3.5 9.9 4.5 9L10 3.5C10.9 2.5 12.2 2 13.5 2Z"
        className="fill-tag"
      />
      <circle cx="18" cy="7.6" r="2.1" className="fill-on-tag" />
      <rect x="10.5" y="14" width="15" height="15" rx="4.5" fill="none" strokeWidth="3" className="stroke-on-tag" />
      <rect x="15.25" y="18.75" width="5.5" height="5.5" rx="1.6" className="fill-on-tag" />
    </svg>
  );
}

export function Logo({ name, className }: { readonly name: string; readonly className?: string }) {
  return (
    <span
      translate="no"
      className={classNames('inline-flex items-center gap-2.5 font-bold text-lg tracking-tight', className)}
    >
      <LogoMark />
      {name}
    </span>
  );
}
