import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { stepPath, visitSteps } from '#app/item/first-visit-steps.ts';
import { ItemTypeGrid } from '#app/item/item-type-grid.tsx';
import { StepProgress } from '#app/item/step-progress.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextAreaField, TextField } from '#app/ui/field/fields.tsx';
import { Alert, Refusal } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import type { TaggingForm } from '#domain/item/describe-tagging.ts';
import { ITEM_DESCRIPTION_LENGTH, ITEM_NAME_LENGTH } from '#domain/item/item-catalogue.ts';
import { taggingWords } from '#words/tagging.ts';
import { ExistingItem } from './existing-item.tsx';
import { type ScannerSlot, TaggedSuccess } from './tagged-success.tsx';
import { TaggingChoice, type Target } from './tagging-choice.tsx';
import { useTagging } from './use-tagging.ts';

interface TaggingScreenProps {
  /** Null where the service gives one when the item is tagged. */
  readonly code: string | null;
  /** The code was generated here, so its link is all the owner has. */
  readonly withoutSticker: boolean;
  /** Whether it is the first step of a new owner's first visit. */
  readonly isFirst: boolean;
  /** The account's address, as long as it is not confirmed. */
  readonly unconfirmedEmail: string | null;
  /** The owner's items, newest first: the sticker may be for one of them. */
  readonly items: readonly Item[];
  readonly renderScanner: (slot: ScannerSlot) => ReactNode;
}

/** The form that describes an item and tags it with the code, or puts the sticker on an item that the owner has. */
export function TaggingScreen(props: TaggingScreenProps) {
  const { code, withoutSticker, isFirst, unconfirmedEmail, items, renderScanner } = props;
  const { common, itemEditing } = useTexts();
  const { tagging } = taggingWords(useLanguage());
  const alertId = useId();
  const [form, setForm] = useState<TaggingForm>({ chosen: null, customName: '', description: '' });
  const { submit, tagged, refusal, clearRefusal, busy, isWaiting } = useTagging(code, withoutSticker);

  const [target, setTarget] = useState<Target>('new');
  const [attachedTo, setAttachedTo] = useState<Item | null>(null);

  const done = tagged ?? attachedTo;
  if (done !== null) {
    return (
      <TaggedSuccess
        item={done}
        isNew={tagged !== null}
        needsSticker={withoutSticker}
        nextStep={isFirst ? stepPath(done.qrId, 'reach') : null}
        renderScanner={withoutSticker ? null : renderScanner}
      />
    );
  }

  const change = (changed: Partial<TaggingForm>) => {
    setForm((others) => ({ ...others, ...changed }));
    clearRefusal();
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(form);
  };

  const newItem = (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-6">
      {/* What is typed while the item is being saved would be lost. */}
      <fieldset disabled={busy} className="flex min-w-0 flex-col gap-6 [&_:is(input,textarea)]:scroll-mb-24">
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
            autoComplete="off"
            enterKeyHint="next"
            value={form.customName}
            onChange={(event) => change({ customName: event.target.value })}
          />
        )}
        <TextAreaField
          label={tagging.description}
          hint={tagging.descriptionHint}
          maxLength={ITEM_DESCRIPTION_LENGTH}
          autoComplete="off"
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </fieldset>
      <div id={alertId} className="empty:hidden">
        {refusal !== null && <Refusal text={refusal} />}
        {isWaiting && <Alert tone="warning">{navigator.onLine ? itemEditing.waiting : common.offline}</Alert>}
      </div>
      {/* On a phone the types fill the screen, and the button stays on it. */}
      <div className="-mx-4 bg-canvas px-4 py-3 sm:mx-0 sm:px-0 [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:bottom-(--end-room)">
        <Button type="submit" size="large" wide busy={busy}>
          {busy ? tagging.submitting : tagging.submit}
        </Button>
      </div>
    </form>
  );

  return (
    <div className="flex flex-col gap-6">
      {isFirst && <StepProgress step={1} steps={visitSteps(unconfirmedEmail).length} />}
      <div className="flex flex-col gap-2">
        {withoutSticker || code === null ? (
          <p className="text-primary text-sm">{tagging.withoutSticker}</p>
        ) : (
          <p className="break-all font-mono text-primary text-sm">
            <WithName of={tagging.forCode} name={code} />
          </p>
        )}
        <h1 className="font-bold text-3xl">{tagging.title}</h1>
        <p className="text-ink-soft">{tagging.lead}</p>
      </div>
      {items.length > 0 && <TaggingChoice chosen={target} onChange={setTarget} />}
      {target === 'existing' && code !== null ? (
        <ExistingItem code={code} items={items} onAttached={setAttachedTo} />
      ) : (
        newItem
      )}
    </div>
  );
}
