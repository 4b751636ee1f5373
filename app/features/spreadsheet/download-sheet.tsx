import { Download } from 'lucide-react';
import { saveFile } from '#app/browser/save-file.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { type SheetItem, writeItemSheet } from '#domain/item/item-sheet.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { spreadsheetWords } from '#words/spreadsheet.ts';
import { useSheetWords } from './use-sheet-words.ts';

/** Saves the owner's items as a CSV file. */
export function DownloadSheet({ items }: { readonly items: readonly SheetItem[] }) {
  const { download } = spreadsheetWords(useLanguage());
  const { storagePrefix, stickerUrl } = usePublicConfig();
  const words = useSheetWords();

  const save = () => {
    const csv = writeItemSheet(items, words, (qrId) => stickerLink(stickerUrl, qrId));
    saveFile(download.fileName(storagePrefix), new Blob([csv], { type: 'text/csv' }));
  };

  return (
    <Card className="flex flex-col items-start gap-3">
      <h2 className="font-bold text-xl">{download.title}</h2>
      <p className="text-ink-soft">{items.length === 0 ? download.none : download.text(items.length)}</p>
      <Button variant="outline" onClick={save}>
        <Download className="size-5" aria-hidden="true" />
        {download.button}
      </Button>
    </Card>
  );
}
