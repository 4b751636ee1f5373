import { type SubmitEvent, useId, useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { ItemTypeGrid } from '#app/item/item-type-grid.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextAreaField, TextField } from '#app/ui/field/fields.tsx';
import { Alert, Refusal } from '#app/ui/notice/alert.tsx';
import type { TaggingForm } from '#domain/item/describe-tagging.ts';
import { ITEM_DESCRIPTION_LENGTH, ITEM_NAME_LENGTH } from '#domain/item/item-catalogue.ts';
import { TaggedSuccess } from './tagged-success.tsx';
import { useTagging } from './use-tagging.ts';

interface TaggingScreenProps {
  readonly code: string;
  /** The code was generated here, so its link is all the owner has. */
  readonly withoutSticker: boolean;
}

/** The form that describes an item and tags it with the code. */
export function TaggingScreen({ code, withoutSticker }: TaggingScreenProps) {
  const { common, itemEditing, tagging } = useTexts();
  const alertId = useId();
  const [form, setForm] = useState<TaggingForm>({ chosen: null, customName: '', description: '' });
  const { submit, tagged, refusal, clearRefusal, busy, isWaiting } = useTagging(code);

  if (tagged !== null) return <TaggedSuccess item={tagged} withLink={withoutSticker} />;

  const change = (changed: Partial<TaggingForm>) => {
    setForm((others) => ({ ...others, ...changed }));
    clearRefusal();
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(form);
  };

  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        {withoutSticker ? (
          <p className="text-primary text-sm">{tagging.withoutSticker}</p>
        ) : (
          <p className="break-all font-mono text-primary text-sm">{tagging.forCode(code)}</p>
        )}
        <h1 className="font-bold text-3xl">{tagging.title}</h1>
        <p className="text-ink-soft">{tagging.lead}</p>
      </div>
      {/* What is typed while the item is being saved would be lost. */}
      <fieldset disabled={busy} className="flex min-w-0 flex-col gap-6">
        <ItemTypeGrid
          chosen={form.chosen}
          onChoose={(chosen) => change({ chosen })}
          describedBy={refusal === null ? undefined : alertId}
        />
        {form.chosen === 'custom' && (
          <TextField
            label={tagging.customName}
            placeholder={tagging.customPlaceholder}
            maxLength={ITEM_NAME_LENGTH}
            value={form.customName}
            onChange={(event) => change({ customName: event.target.value })}
          />
        )}
        <TextAreaField
          label={tagging.description}
          hint={tagging.descriptionHint}
          maxLength={ITEM_DESCRIPTION_LENGTH}
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </fieldset>
      <div id={alertId} className="empty:hidden">
        {refusal !== null && <Refusal text={refusal} />}
        {isWaiting && <Alert tone="warning">{navigator.onLine ? itemEditing.waiting : common.offline}</Alert>}
      </div>
      <Button type="submit" size="large" wide busy={busy}>
        {busy ? tagging.submitting : tagging.submit}
      </Button>
    </form>
  );
}
