import type { ReactNode } from 'react';

/** Is there only where scripts are off, and says what that means for this screen. */
export function NeedsScript({ children }: { readonly children: ReactNode }) {
  return (
    <noscript>
      <p className="rounded-md border border-tag-strong/60 bg-tag-soft px-4 py-3 text-ink text-sm">{children}</p>
    </noscript>
  );
}
