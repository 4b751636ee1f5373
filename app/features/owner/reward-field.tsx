import { useTexts } from '#app/i18n/use-texts.ts';
import { TextField } from '#app/ui/field/fields.tsx';
import { REWARD_LENGTH } from '#domain/item/item-catalogue.ts';

interface RewardFieldProps {
  readonly value: string;
  readonly onChange: (reward: string) => void;
}

/** What the owner promises to a finder. */
export function RewardField({ value, onChange }: RewardFieldProps) {
  const { itemEditing } = useTexts();
  return (
    <TextField
      label={itemEditing.reward}
      hint={itemEditing.rewardHint}
      maxLength={REWARD_LENGTH}
      autoComplete="off"
      enterKeyHint="done"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
