import { useLanguage } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import type { RowProblem, SheetFields, SheetItem, SheetRow, SheetWords } from '#domain/item/item-sheet.ts';
import type { SpreadsheetWords } from '#domain/words/compiled/types.ts';
import { spreadsheetWords } from '#words/spreadsheet.ts';
import { useSheetWords } from './use-sheet-words.ts';

interface SheetPreviewProps {
  readonly file: string;
  readonly rows: readonly SheetRow[];
  readonly items: readonly SheetItem[];
}

const OUTCOMES = ['refused', 'new', 'changed', 'same'] as const;
/** More would make a phone slow, and nobody reads them. */
const MOST_SHOWN = 200;

const BADGES = {
  refused: 'bg-danger-soft text-danger',
  new: 'bg-primary-soft text-primary',
  changed: 'bg-tag-soft text-on-tag-soft',
} as const;

/** What saving a spreadsheet would do: the counts, and each row that matters, those with problems first. */
export function SheetPreview({ file, rows, items }: SheetPreviewProps) {
  const language = useLanguage();
  const { preview } = spreadsheetWords(language);
  const counts = OUTCOMES.map((outcome) => ({ outcome, count: rows.filter((row) => row.outcome === outcome).length }));
  const listed = OUTCOMES.flatMap((outcome) => rows.filter((row) => row.outcome === outcome && outcome !== 'same'));
  const summary = counts.filter(({ count }) => count > 0).map(({ outcome, count }) => preview.counts[outcome](count));
  return (
    <section className="flex w-full flex-col gap-3">
      <h3 className="break-words font-bold text-lg">{preview.title(file)}</h3>
      <p role="status">{new Intl.ListFormat(language.tag, { type: 'unit' }).format(summary)}</p>
      {rows.some(({ outcome }) => outcome === 'refused') && (
        <Alert tone="warning" quiet>
          {preview.refusedText}
        </Alert>
      )}
      {listed.length === 0 && <p className="text-ink-soft">{preview.nothing}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {listed.slice(0, MOST_SHOWN).map((row) => (
          <PreviewRow key={row.row} row={row} items={items} />
        ))}
      </ul>
      {listed.length > MOST_SHOWN && <p className="text-ink-soft">{preview.more(listed.length - MOST_SHOWN)}</p>}
    </section>
  );
}

function PreviewRow({ row, items }: { readonly row: SheetRow; readonly items: readonly SheetItem[] }) {
  const language = useLanguage();
  const { preview, rowProblems } = spreadsheetWords(language);
  const words = useSheetWords();
  if (row.outcome === 'same') return null;
  return (
    <li className="flex flex-col gap-1 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className={classNames('rounded-full px-2.5 py-0.5 font-semibold text-xs', BADGES[row.outcome])}>
          {preview.outcomes[row.outcome]}
        </span>
        <bdi className="min-w-0 break-words font-semibold">{row.name}</bdi>
        <span className="ms-auto text-ink-soft text-sm">{preview.row(row.row)}</span>
      </p>
      {row.outcome === 'refused' && <p className="break-words text-sm">{explain(row.problem, rowProblems, words)}</p>}
      {row.outcome === 'new' && row.isAlike && <p className="text-ink-soft text-sm">{preview.alike}</p>}
      {row.outcome === 'changed' && (
        <Changes before={items.find(({ qrId }) => qrId === row.qrId)} fields={row.fields} words={words} />
      )}
    </li>
  );
}

interface ChangesProps {
  readonly before: SheetItem | undefined;
  readonly fields: SheetFields;
  readonly words: SheetWords;
}

/** Each changed field, before and after. */
function Changes({ before, fields, words }: ChangesProps) {
  const { preview } = spreadsheetWords(useLanguage());
  const shown = (fields: SheetFields, name: keyof SheetFields) => {
    const value = name === 'itemType' ? fields.itemType && words.types[fields.itemType] : fields[name];
    return value ? <bdi>{value}</bdi> : <i>{preview.cleared}</i>;
  };
  return (
    <dl className="text-sm">
      {/* Object.keys forgets that the keys are those of the fields. */}
      {(Object.keys(fields) as (keyof SheetFields)[]).map((name) => (
        <div key={name} className="flex flex-wrap gap-x-2 break-words">
          <dt className="text-ink-soft">{words.columns[name]}</dt>
          <dd className="min-w-0">
            {before !== undefined && <del className="me-2 text-ink-soft">{shown(before, name)}</del>}
            <ins className="no-underline">{shown(fields, name)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function explain(problem: RowProblem, texts: SpreadsheetWords['rowProblems'], { columns, types }: SheetWords): string {
  switch (problem.kind) {
    case 'unknown-code':
      return texts.unknownCode(problem.code);
    case 'repeated-code':
      return texts.repeatedCode(problem.row);
    case 'no-name':
      return texts.noName;
    case 'unknown-type':
      return texts.unknownType({ type: problem.type, types: Object.values(types).join(', ') });
    case 'too-long':
      return texts.tooLong({ column: columns[problem.column], most: problem.most });
  }
}
