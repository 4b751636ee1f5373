import { useLanguage } from '#app/i18n/use-texts.ts';
import type { SheetWords } from '#domain/item/item-sheet.ts';
import { spreadsheetWords } from '#words/spreadsheet.ts';

/** Returns the headings and types of a spreadsheet, in the language of the page. */
export function useSheetWords(): SheetWords {
  const language = useLanguage();
  const { itemTypes, otherItemTypes } = language.texts;
  return { columns: spreadsheetWords(language).columns, types: { ...itemTypes, ...otherItemTypes } };
}
