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
      className="fixed inset-x-4 bottom-4 z-50 mx-auto flex min-h-14 max-w-md items-center gap-3 rounded-md border border-on-night/20 bg-night px-4 py-2 font-medium text-on-night text-sm shadow-floating sm:inset-x-auto sm:end-6 sm:bottom-6 sm:w-96"
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
