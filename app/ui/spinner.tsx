import { classNames } from './class-names.ts';

/** Says nothing by itself: the words beside it do. */
export function Spinner({ className = 'size-5' }: { readonly className?: string }) {
  return (
    <svg className={classNames('animate-spin', className)} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="3" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
