import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { useForm } from '#app/form/use-form.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { trimBlanks } from '#domain/white-space.ts';
import { stickersWords } from '#words/stickers.ts';
import { LONGEST_NAME, removeLabels, renameLabels, type SavedLabels } from './saved-labels.ts';

interface EditLabelsProps {
  /** Null while the dialog is closed. */
  readonly edited: SavedLabels | null;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** The dialog that renames or removes saved labels. */
export function EditLabels({ edited, onClose, onRemoved }: EditLabelsProps) {
  const { common } = useTexts();
  const texts = stickersWords(useLanguage()).measuredLabels;
  return (
    <Dialog
      open={edited !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={texts.editTitle}
      closeLabel={common.close}
    >
      {edited !== null && <EditForm edited={edited} onClose={onClose} onRemoved={onRemoved} />}
    </Dialog>
  );
}

function EditForm({ edited: { id, name: nameNow }, onClose, onRemoved }: EditLabelsProps & { edited: SavedLabels }) {
  const texts = stickersWords(useLanguage()).measuredLabels;
  const { revalidate } = useRevalidator();
  const [isRemoving, setIsRemoving] = useState(false);
  const { frame, errors, edited, refuse, busy } = useForm({
    fields: ['name'],
    check: ({ name }) => (trimBlanks(name) === '' ? { name: texts.nameMissing } : {}),
    send: async ({ name: typed }) => {
      const name = trimBlanks(typed);
      if ((await renameLabels(await browserClient(), id, name)) === 'taken') return { name: texts.nameTaken };
      announce(texts.saved(name));
      await revalidate();
      onClose();
      return null;
    },
  });
  const remove = async () => {
    setIsRemoving(true);
    try {
      await removeLabels(await browserClient(), id);
      announce(texts.removed(nameNow));
      onClose();
      onRemoved();
      await revalidate();
    } catch {
      refuse(texts.failed);
      setIsRemoving(false);
    }
  };
  return (
    <Form {...frame}>
      <TextField
        label={texts.nameLabel}
        name="name"
        defaultValue={nameNow}
        error={errors.name}
        onChange={() => edited('name')}
        maxLength={LONGEST_NAME}
        autoComplete="off"
        enterKeyHint="done"
      />
      <p className="text-ink-soft text-sm">{texts.removeText}</p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} disabled={isRemoving} className="flex-1">
          {busy ? texts.saving : texts.rename}
        </Button>
        <Button variant="danger" busy={isRemoving} disabled={busy} onClick={() => void remove()} className="flex-1">
          {isRemoving ? texts.removing : texts.remove}
        </Button>
      </div>
    </Form>
  );
}
