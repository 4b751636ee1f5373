import type { EnhancementTexts } from './enhancement-texts.ts';

/** What each part of the enhancement works with. */
export interface Enhancement {
  readonly root: HTMLElement;
  readonly texts: EnhancementTexts;
  /** Ends every listener of the enhancement. */
  readonly signal: AbortSignal;
  /** Shows a short notice over the page, and has it announced. */
  readonly toast: (text: string) => void;
}
