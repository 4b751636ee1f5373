import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { type Choice, useChooseContactMethods } from './use-choose-contact-methods.ts';

interface ContactMethodChoiceProps {
  readonly ownerId: string;
  /** Within a line of text instead of below one. */
  readonly inline?: boolean;
  /** Called when it is saved, and shown no more. */
  readonly onChosen: () => void;
}

const CHOICES: readonly Choice[] = ['messagesOnly', 'keepAll'];

/** Leaves only messages open to finders, or all contact methods. Shown once. */
export function ContactMethodChoice({ ownerId, inline = false, onChosen }: ContactMethodChoiceProps) {
  const { contactMethods } = useTexts();
  const { choose, busy } = useChooseContactMethods(ownerId, onChosen);
  return (
    <div className={classNames('flex flex-wrap gap-2', inline && '-ms-3 sm:ms-0')}>
      {CHOICES.map((choice) => (
        <Button
          key={choice}
          variant={inline ? 'quiet' : 'outline'}
          className={inline ? 'min-h-11! px-3! text-sm!' : 'grow'}
          busy={busy === choice}
          disabled={busy !== null}
          onClick={() => void choose(choice)}
        >
          {contactMethods[choice]}
        </Button>
      ))}
    </div>
  );
}
