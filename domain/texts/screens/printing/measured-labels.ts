import { inLanguage } from '../../in-language.ts';
import { measuredLabelsEn } from './measured-labels-en.ts';

/** Returns the texts about labels that an owner measured, which only the screen for printing stickers loads. */
export const measuredLabelsTexts = inLanguage({ en: measuredLabelsEn });
