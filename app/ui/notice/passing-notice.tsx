import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import * as v from 'valibot';

/** How long it is shown, in milliseconds. */
const STANDS = 5_000;

/** The notice of the previous screen, on a screen without notices of its own. It disappears by itself. */
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
      className="sticky top-0 z-50 flex min-h-14 items-center justify-center gap-3 bg-night px-4 py-2 font-medium text-on-night text-sm"
    >
      <CircleCheck className="size-5 shrink-0 text-on-night-soft" aria-hidden="true" />
      {text}
    </p>
  );
}

const schema = v.object({ notice: v.string() });

/** Returns the notice of the previous screen from the navigation state; null after a reload. */
export function useArrivingNotice(): string | null {
  const { state } = useLocation();
  const type = useNavigationType();
  const parsed = v.safeParse(schema, state);
  return parsed.success && type !== NavigationType.Pop ? parsed.output.notice : null;
}
