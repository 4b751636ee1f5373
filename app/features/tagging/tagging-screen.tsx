import { type SubmitEvent, useId, useState } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { TaggingForm } from '#domain/describe-tagging.ts';
import { ITEM_DESCRIPTION_LENGTH, ITEM_NAME_LENGTH } from '#domain/item-catalogue.ts';
import { ItemTypeGrid } from './item-type-grid.tsx';
import { TaggedSuccess } from './tagged-success.tsx';
import { useTagging } from './use-tagging.ts';

/** Says what carries the code, and makes it the owner's item. */
export function TaggingScreen({ code }: { readonly code: string }) {
  const { tagging } = useMessages();
  const alertId = useId();
  const [form, setForm] = useState<TaggingForm>({ chosen: null, customName: '', description: '' });
  const { submit, tagged, refusal, busy } = useTagging(code);

  if (tagged !== null) return <TaggedSuccess item={tagged} />;

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(form);
  };

  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <p className="break-all font-mono text-primary text-sm">{tagging.forCode(code)}</p>
        <h1 className="font-bold text-3xl">{tagging.title}</h1>
        <p className="text-ink-soft">{tagging.lead}</p>
      </div>
      <ItemTypeGrid
        chosen={form.chosen}
        onChoose={(chosen) => setForm({ ...form, chosen })}
        describedBy={refusal === null ? undefined : alertId}
      />
      {form.chosen === 'custom' && (
        <TextField
          label={tagging.customName}
          placeholder={tagging.customPlaceholder}
          maxLength={ITEM_NAME_LENGTH}
          value={form.customName}
          onChange={(event) => setForm({ ...form, customName: event.target.value })}
        />
      )}
      <TextAreaField
        label={tagging.description}
        hint={tagging.descriptionHint}
        maxLength={ITEM_DESCRIPTION_LENGTH}
        value={form.description}
        onChange={(event) => setForm({ ...form, description: event.target.value })}
      />
      <div id={alertId} className="empty:hidden">
        {refusal !== null && <Alert>{refusal}</Alert>}
      </div>
      <Button type="submit" size="large" wide busy={busy}>
        {busy ? tagging.submitting : tagging.submit}
      </Button>
    </form>
  );
}
