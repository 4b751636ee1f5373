import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { useForm } from '#app/form/use-form.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { haveSameMeasures, type MeasuredLabels, measuredFormat, overflowOf } from '#domain/stickers/measured-labels.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { stickersWords } from '#words/stickers.ts';
import { useStickerTexts } from '../use-sticker-texts.ts';
import { EditLabels } from './edit-labels.tsx';
import { MeasuredFields } from './measured-fields.tsx';
import { changeLabels, freeName, LONGEST_NAME, MOST_SAVED, type SavedLabels, saveLabels } from './saved-labels.ts';

interface MeasuredChoiceProps {
  readonly saved: readonly SavedLabels[];
  /** What is printed on. */
  readonly labels: MeasuredLabels;
  readonly onChange: (labels: MeasuredLabels) => void;
}

/** Labels that the owner measures: those that are saved, the measures, and how to save them. */
export function MeasuredChoice({ saved, labels, onChange }: MeasuredChoiceProps) {
  const texts = stickersWords(useLanguage()).measuredLabels;
  const lead = useRef<HTMLParagraphElement>(null);
  const [editedId, setEditedId] = useState<string | null>(null);
  const [choices, setChoices] = useState(0);
  const same = saved.find((one) => haveSameMeasures(one.labels, labels));
  // What the measures were before they were changed.
  const [lastId, setLastId] = useState(same?.id ?? null);
  if (same !== undefined && same.id !== lastId) setLastId(same.id);
  const last = saved.find(({ id }) => id === lastId);
  const focusLead = () => lead.current?.focus();
  return (
    <div className="flex flex-col gap-4">
      <p ref={lead} tabIndex={-1} className="text-ink-soft text-sm outline-none">
        {texts.lead}
      </p>
      {saved.length > 0 && (
        <fieldset className="max-h-96 min-w-0 overflow-y-auto rounded-md border border-line-strong">
          <legend className="sr-only">{texts.legend}</legend>
          {saved.map((one) => (
            <SavedRow
              key={one.id}
              saved={one}
              isChosen={haveSameMeasures(one.labels, labels)}
              onChoose={() => {
                setChoices(choices + 1);
                onChange(one.labels);
              }}
              onEdit={() => setEditedId(one.id)}
            />
          ))}
        </fieldset>
      )}
      <EditLabels
        edited={saved.find(({ id }) => id === editedId) ?? null}
        onClose={() => setEditedId(null)}
        onRemoved={focusLead}
      />
      {/* Begins again with the measures of each choice. */}
      <MeasuredFields key={`choice-${choices}`} labels={labels} onChange={onChange} />
      {same === undefined && overflowOf(labels) === null && (
        <>
          {last !== undefined && <ChangeLabels saved={last} labels={labels} onSaved={focusLead} />}
          <SaveLabels
            // Another name is free after each one that is saved.
            key={`after-${saved.length}`}
            saved={saved}
            labels={labels}
            onSaved={focusLead}
          />
        </>
      )}
    </div>
  );
}

interface SavedRowProps {
  readonly saved: SavedLabels;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onEdit: () => void;
}

function SavedRow({ saved: { name, labels }, isChosen, onChoose, onEdit }: SavedRowProps) {
  const { formatDetails } = useStickerTexts();
  const texts = stickersWords(useLanguage()).measuredLabels;
  const format = measuredFormat(labels);
  return (
    <div className="flex items-center gap-2 border-line not-last:border-b">
      <label className="flex min-h-12 min-w-0 flex-1 cursor-pointer items-center gap-3 py-2 ps-3 has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:-outline-offset-3">
        <input
          type="radio"
          name="saved-labels"
          checked={isChosen}
          onChange={onChoose}
          className="size-5 shrink-0 accent-primary"
        />
        <span className="flex min-w-0 flex-col leading-snug">
          <span className="wrap-anywhere font-medium">
            <bdi>{name}</bdi>
          </span>
          <span className="text-ink-soft text-sm">{formatDetails(format, cellsPerPage(format))}</span>
        </span>
      </label>
      <Button variant="quiet" aria-label={texts.edit(name)} onClick={onEdit} className="px-3!">
        <Pencil className="size-5" aria-hidden="true" />
      </Button>
    </div>
  );
}

interface ChangeLabelsProps {
  readonly saved: SavedLabels;
  readonly labels: MeasuredLabels;
  readonly onSaved: () => void;
}

/** Saves other measures under the same name. */
function ChangeLabels({ saved: { id, name }, labels, onSaved }: ChangeLabelsProps) {
  const texts = stickersWords(useLanguage()).measuredLabels;
  const { revalidate } = useRevalidator();
  const { frame, busy } = useForm({
    fields: [],
    check: () => ({}),
    send: async () => {
      // Also after a failure: they may be gone, which the list shows.
      await changeLabels(await browserClient(), id, labels).finally(revalidate);
      showToast('success', texts.saved(name), { about: 'saved labels' });
      onSaved();
      return null;
    },
  });
  return (
    <Form {...frame}>
      <Button type="submit" variant="outline" busy={busy} className="wrap-anywhere self-start">
        {busy ? texts.saving : texts.change(name)}
      </Button>
    </Form>
  );
}

interface SaveLabelsProps {
  readonly saved: readonly SavedLabels[];
  readonly labels: MeasuredLabels;
  readonly onSaved: () => void;
}

function SaveLabels({ saved, labels, onSaved }: SaveLabelsProps) {
  const texts = stickersWords(useLanguage()).measuredLabels;
  const { revalidate } = useRevalidator();
  const { frame, errors, edited, busy } = useForm({
    fields: ['name'],
    check: ({ name }) => (trimBlanks(name) === '' ? { name: texts.nameMissing } : {}),
    send: async ({ name: typed }) => {
      const name = trimBlanks(typed);
      // Also after a failure: a lost response may have been a success, which the list shows.
      const outcome = await saveLabels(await browserClient(), { name, labels }).finally(revalidate);
      if (outcome === 'taken') return { name: texts.nameTaken };
      if (outcome === 'full') return texts.full(MOST_SAVED);
      showToast('success', texts.saved(name), { about: 'saved labels' });
      onSaved();
      return null;
    },
  });
  if (saved.length >= MOST_SAVED) return <p className="text-ink-soft text-sm">{texts.full(MOST_SAVED)}</p>;
  return (
    <Form {...frame}>
      <TextField
        label={texts.nameLabel}
        name="name"
        defaultValue={freeName(saved, texts.name)}
        error={errors.name}
        onChange={() => edited('name')}
        maxLength={LONGEST_NAME}
        autoComplete="off"
        enterKeyHint="done"
      />
      <Button type="submit" variant="outline" busy={busy} className="self-start">
        {busy ? texts.saving : texts.save}
      </Button>
    </Form>
  );
}
