import { useEffect, useState } from 'react';
import { useNavigation } from 'react-router';
import { useMessages } from '#app/lib/use-messages.ts';

/** Milliseconds in which most screens are there, and nobody wonders. */
const UNNOTICED = 400;

/** Says, on every screen, that the one somebody goes to is on its way: the old one stays until it is there. */
export function NavigationProgress() {
  const { common } = useMessages();
  const isLeaving = useNavigation().state !== 'idle';
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 top-0 z-50">
      {isLeaving && <Bar text={common.loading} />}
    </div>
  );
}

function Bar({ text }: { readonly text: string }) {
  const [isNoticed, setIsNoticed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsNoticed(true), UNNOTICED);
    return () => clearTimeout(timer);
  }, []);
  if (!isNoticed) return null;
  return (
    <>
      <span className="sr-only">{text}</span>
      <span
        aria-hidden="true"
        className="navigation-progress block h-1.5 rounded-e-full border-night border-b-2 bg-tag"
      />
    </>
  );
}
