import { useEffect, useState } from 'react';
import { createPath, useNavigation } from 'react-router';
import { useTexts } from '#app/i18n/use-texts.ts';
import { setDestination } from '#app/ui/load-part.ts';

/** Milliseconds within which most screens load, so that no indicator is shown. */
const UNNOTICED = 400;

/** Announces on every screen that the next one is loading; the old one stays until then. */
export function NavigationProgress() {
  const { common } = useTexts();
  const { location } = useNavigation();
  const address = location === undefined ? null : createPath(location);
  useEffect(() => setDestination(address), [address]);
  return address !== null && <ProgressBar text={common.loading} />;
}

/** The indicator that a screen is loading. */
export function ProgressBar({ text }: { readonly text: string }) {
  const [isNoticed, setIsNoticed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsNoticed(true), UNNOTICED);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 top-0 z-50">
      {isNoticed && (
        <>
          <span className="sr-only">{text}</span>
          <span
            aria-hidden="true"
            className="navigation-progress block h-1.5 rounded-e-full border-night border-b-2 bg-tag"
          />
        </>
      )}
    </div>
  );
}
