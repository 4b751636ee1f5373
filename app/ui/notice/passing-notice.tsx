import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';

/** Milliseconds for which it stands. */
const STANDS = 5_000;

/** A notice that came along from the screen before, on one that has no others. It goes by itself. */
export function PassingNotice({ text }: { readonly text: string }) {
  const [gone, setGone] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setGone(true), STANDS);
    return () => clearTimeout(timer);
  }, []);
  if (gone) return null;
  return (
    <p
      role="status"
      className="fixed inset-x-4 bottom-4 z-50 mx-auto flex min-h-14 max-w-md items-center gap-3 rounded-md border border-on-night/20 bg-night px-4 py-2 font-medium text-on-night text-sm shadow-floating sm:inset-x-auto sm:end-6 sm:bottom-6 sm:w-96"
    >
      <CircleCheck className="size-5 shrink-0 text-on-night-soft" aria-hidden="true" />
      {text}
    </p>
  );
}
