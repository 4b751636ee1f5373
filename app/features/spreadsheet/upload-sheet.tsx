import { Sheet } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { SavedItems } from '#app/data/items.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { planItemSheet, type SheetItem, type SheetRow } from '#domain/item/item-sheet.ts';
import type { SpreadsheetWords } from '#domain/words/compiled/types.ts';
import { spreadsheetWords } from '#words/spreadsheet.ts';
import { readSheetFile } from './read-sheet-file.ts';
import { type RowToSave, rowsToSave, saveSheet } from './save-sheet.ts';
import { SheetPreview } from './sheet-preview.tsx';
import { useSheetWords } from './use-sheet-words.ts';

type State =
  | { readonly step: 'waiting' | 'reading' }
  | { readonly step: 'unusable'; readonly problem: keyof SpreadsheetWords['fileProblems'] }
  | ({ readonly step: 'planned' | 'saving' } & Plan)
  | ({ readonly step: 'refused'; readonly reason: Exclude<SavedItems, 'saved'> } & Plan)
  | { readonly step: 'saved'; readonly count: number };

interface Plan {
  readonly file: string;
  readonly rows: readonly SheetRow[];
  readonly toSave: readonly RowToSave[];
}

interface UploadSheetProps {
  readonly items: readonly SheetItem[];
  /** The own code of the item, for each further code. */
  readonly furtherCodes: ReadonlyMap<string, string>;
}

/** Reads items from a CSV file, shows what they would change, and saves them. */
export function UploadSheet({ items, furtherCodes }: UploadSheetProps) {
  const texts = spreadsheetWords(useLanguage());
  const words = useSheetWords();
  const input = useRef<HTMLInputElement>(null);
  const revalidator = useRevalidator();
  const [state, setState] = useState<State>({ step: 'waiting' });

  const read = async (file: File) => {
    setState({ step: 'reading' });
    const sheet = await readSheetFile(file);
    const plan = sheet.ok ? planItemSheet(sheet.table, items, words, furtherCodes) : sheet;
    if (!plan.ok) return setState({ step: 'unusable', problem: plan.problem });
    setState({ step: 'planned', file: file.name, rows: plan.rows, toSave: rowsToSave(plan.rows) });
  };

  const save = async (plan: Plan) => {
    setState({ ...plan, step: 'saving' });
    const outcome = await saveSheet(plan.toSave);
    if (outcome !== 'saved') return setState({ ...plan, step: 'refused', reason: outcome });
    setState({ step: 'saved', count: plan.toSave.length });
    await revalidator.revalidate();
  };

  const isFirst = state.step === 'waiting' || state.step === 'reading';
  return (
    <Card className="flex flex-col items-start gap-4">
      <h2 className="font-bold text-xl">{texts.upload.title}</h2>
      <p className="text-ink-soft">{texts.upload.text}</p>
      <input
        ref={input}
        type="file"
        // Excel saves “Unicode text” as .txt.
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        className="hidden"
        // The button below opens it.
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) {
            void read(file).catch(() => setState({ step: 'unusable', problem: 'not-csv' }));
          }
          // Lets the corrected file be chosen again.
          currentTarget.value = '';
        }}
      />
      <Button
        variant={isFirst ? 'primary' : 'outline'}
        busy={state.step === 'reading'}
        disabled={state.step === 'saving'}
        onClick={() => input.current?.click()}
      >
        <Sheet className="size-5" aria-hidden="true" />
        {state.step === 'reading' ? texts.upload.reading : isFirst ? texts.upload.choose : texts.upload.chooseAnother}
      </Button>
      {state.step === 'unusable' && <Alert>{texts.fileProblems[state.problem]}</Alert>}
      {state.step === 'saved' && (
        <Alert tone="info" title={texts.saved.title(state.count)}>
          <p className="mb-3">{texts.saved.text}</p>
          <div className="flex flex-wrap gap-3">
            <LinkButton to="/stickers">{texts.saved.stickers}</LinkButton>
            <LinkButton variant="outline" to="/dashboard">
              {texts.saved.dashboard}
            </LinkButton>
          </div>
        </Alert>
      )}
      {'rows' in state && (
        <>
          <SheetPreview {...state} items={items} />
          {state.step === 'refused' && <Alert>{texts.refusals[state.reason]}</Alert>}
          {state.toSave.length > 0 && (
            <Button busy={state.step === 'saving'} onClick={() => void save(state)}>
              {state.step === 'saving' ? texts.preview.saving : texts.preview.save(state.toSave.length)}
            </Button>
          )}
        </>
      )}
    </Card>
  );
}
