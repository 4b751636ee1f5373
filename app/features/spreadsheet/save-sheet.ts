import { withBrowserClient } from '#app/client/browser-client.ts';
import { type SavedFields, type SavedItems, saveItems } from '#app/data/items.ts';
import type { SheetRow } from '#domain/item/item-sheet.ts';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';

/** A row that is saved, with the code of its item. */
export interface RowToSave {
  readonly qrId: string;
  readonly fields: SavedFields;
}

/**
 * Returns the rows that are saved. New items get their codes here, once, so that saving them again after a lost response
 * adds nothing.
 */
export function rowsToSave(rows: readonly SheetRow[]): RowToSave[] {
  return rows.flatMap((row) => {
    if (row.outcome === 'changed') return [{ qrId: row.qrId, fields: row.fields }];
    if (row.outcome !== 'new') return [];
    return [{ qrId: generateTagCode((bytes) => crypto.getRandomValues(bytes)), fields: row.fields }];
  });
}

/** Saves all rows, or none. */
export async function saveSheet(rows: readonly RowToSave[]): Promise<SavedItems> {
  const outcome = await withBrowserClient((client) => saveItems(client, rows))();
  return outcome === 'unreachable' ? 'failed' : outcome;
}
