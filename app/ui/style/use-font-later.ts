import { useEffect } from 'react';
import { noteCachedFont } from './cached-font.ts';
import { whenSettled } from './when-settled.ts';

/**
 * Fetches the font once the screen shows what was asked for, so that a slow connection carries first what the screen
 * needs. This document keeps the stand-in of the same measures (`fonts.css`), because no line may break anew under
 * the reader's eyes; the next one has the font from the start (`cached-font.ts`).
 */
export function useFontLater(): void {
  useEffect(
    () =>
      whenSettled(() => {
        document.fonts.load('1rem "Rubik Variable"').then(
          noteCachedFont,
          // Without a connection the next document tries again.
          () => {},
        );
      }),
    [],
  );
}
