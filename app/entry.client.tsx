import { type ReactNode, StrictMode, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

/**
 * Has the texts of a translated document in their places whenever React begins to hydrate it. Otherwise it would render
 * the document anew, without what was typed into it.
 */
function TextsInPlace({ children }: { readonly children: ReactNode }) {
  window.putBackTexts?.();
  useEffect(() => {
    window.putBackTexts = undefined;
  }, []);
  return children;
}

/** At once: between two parts of the work the translator would go on. */
function hydrate(): void {
  flushSync(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <TextsInPlace>
          <HydratedRouter />
        </TextsInPlace>
      </StrictMode>,
    );
  });
}

// The router's data ends the document. While React waits for it, it renders what it can in parts.
if (document.readyState !== 'loading') hydrate();
else document.addEventListener('readystatechange', hydrate, { once: true });
