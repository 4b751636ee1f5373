import { useEffect } from 'react';
import { whenSettled } from './when-settled.ts';

/**
 * Lets the font come in once the screen shows what was asked for: until then the stand-in of the same measures is used
 * (`fonts.css`), and a slow connection carries what the screen needs.
 */
export function useFontLater(): void {
  useEffect(() => whenSettled(() => document.documentElement.removeAttribute('data-font')), []);
}
