import { MessageCircle, PhoneCall } from 'lucide-react';
import { useState } from 'react';
import { type AccountContactMethods, chooseContactMethods } from '#app/data/contact-methods.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { contactState } from '#domain/contact/contact-methods.ts';
import type { Choice } from '../contact-methods/use-choose-contact-methods.ts';
import { SaveStatus, useSave } from '../save-item.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { useVisitTexts } from './use-visit-texts.ts';
import { keepVisitDraft, readVisitDraft } from './visit-draft.ts';

interface ReachStepProps extends StepProps {
  readonly itemId: string;
  readonly ownerId: string;
  readonly contactMethods: AccountContactMethods;
}

const CHOICES = [
  { choice: 'keepAll', Icon: PhoneCall },
  { choice: 'messagesOnly', Icon: MessageCircle },
] as const;

/** Asks how finders may reach the owner, about all items. */
export function ReachStep({ itemId, ownerId, contactMethods, onNext, ...frame }: ReachStepProps) {
  const visit = useVisitTexts();
  const texts = useTexts();
  const { save, stop, state, isBusy } = useSave();
  const saved = choiceOf(contactMethods);
  const [chosen, setChosen] = useState(() => readVisitDraft(itemId).choice ?? saved);

  const choose = (choice: Choice) => {
    setChosen(choice);
    keepVisitDraft(itemId, { choice });
  };
  const submit = async () => {
    const isSaved = chosen === null || (contactMethods.areChosen && chosen === saved);
    if (!isSaved && !(await save((client) => chooseContactMethods(client, ownerId, chosen === 'messagesOnly')))) return;
    keepVisitDraft(itemId, { choice: undefined });
    onNext();
  };
  const skip = () => {
    stop();
    onNext();
  };

  return (
    <StepFrame
      {...frame}
      title={visit.reach.title}
      lead={visit.reach.lead}
      action={visit.next}
      busy={isBusy}
      onSubmit={() => void submit()}
      onSkip={skip}
    >
      <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-3">
        <legend className="sr-only">{texts.contactMethods.title}</legend>
        {CHOICES.map(({ choice, Icon }) => (
          <label
            key={choice}
            className={classNames(
              'flex cursor-pointer items-start gap-4 rounded-lg border-2 p-4 transition-[border-color,background-color] sm:p-5',
              'has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
              choice === chosen
                ? 'border-primary bg-primary-soft forced-colors:border-[Highlight]'
                : 'border-line bg-surface hover:border-primary',
            )}
          >
            <Icon className="mt-0.5 size-6 shrink-0 text-primary" aria-hidden="true" />
            <span className="min-w-0 flex-1">
              <span id={`reach-${choice}`} className="block font-semibold">
                {visit.reach[choice]}
              </span>
              <span id={`reach-${choice}-hint`} className="mt-0.5 block text-ink-soft text-sm">
                {visit.reach[`${choice}Hint`]}
              </span>
            </span>
            <input
              type="radio"
              name="reach"
              aria-labelledby={`reach-${choice}`}
              aria-describedby={`reach-${choice}-hint`}
              checked={choice === chosen}
              onChange={() => choose(choice)}
              className="mt-0.5 size-5 shrink-0 accent-primary"
            />
          </label>
        ))}
      </fieldset>
      <SaveStatus state={state} />
    </StepFrame>
  );
}

/** What applies now, or null where it is neither. */
function choiceOf({ channels }: AccountContactMethods): Choice | null {
  if (contactState(channels) === 'all') return 'keepAll';
  const { message, ...others } = channels;
  return message && Object.values(others).every((isOpen) => !isOpen) ? 'messagesOnly' : null;
}
