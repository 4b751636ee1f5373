import type { ExtrasTexts } from './extras-texts.ts';

/** The server writes them in front of the script. */
declare const EXTRAS_TEXTS: ExtrasTexts;

export const texts = EXTRAS_TEXTS;
