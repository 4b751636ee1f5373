import { useEffect } from 'react';
import { whenSettled } from '#app/ui/when-idle.ts';
import { noteCachedFont } from './cached-font.ts';

/**
 * Loads the font once the screen shows its content, so that a slow connection first loads what the screen needs. This
 * document keeps the fallback font with the same metrics (`fonts.css`), so that no line wraps again while it is read.
 * The next document has the font from the start (`cached-font.ts`).
 */
export function useFontLater(): void {
  useEffect(
    () =>
      whenSettled(() => {
        document.fonts.load('1rem "Rubik Variable"').then(
          noteCachedFont,
          // Without a connection, the next document retries.
          () => {},
        );
      }),
    [],
  );
}
