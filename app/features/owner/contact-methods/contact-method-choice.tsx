import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { type Choice, useChooseWays } from './use-choose-ways.ts';

interface WaysChoiceProps {
  readonly ownerId: string;
  /** In a line of text, and not below one. */
  readonly inline?: boolean;
}

const CHOICES: readonly Choice[] = ['messagesOnly', 'keepAll'];

/** Leaves only messages open to finders, or everything. Asked once. */
export function WaysChoice({ ownerId, inline = false }: WaysChoiceProps) {
  const { ways } = useMessages();
  const { choose, busy } = useChooseWays(ownerId);
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
          {ways[choice]}
        </Button>
      ))}
    </div>
  );
}
