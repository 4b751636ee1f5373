import { Smartphone } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { readScannedValue } from '#domain/read-scanned-value.ts';
import { isClaimableTagCode, NEW_ITEM } from '#domain/tag-code.ts';

interface NewTagDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The ways to tag a new item: the phone's own camera, the code typed or pasted, or no sticker at all. */
export function NewTagDialog({ open, onOpenChange }: NewTagDialogProps) {
  const { common, newTag } = useMessages();
  const { development } = usePublicConfig();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [invalid, setInvalid] = useState(false);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = readScannedValue(typed);
    // A development server lets any word be claimed; every other refuses what is not a code of ours.
    const accepted = code !== null && code !== NEW_ITEM && (development || isClaimableTagCode(code));
    setInvalid(!accepted);
    if (accepted) await navigate(`/item/${code}`, { viewTransition: true });
  };

  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={newTag.title} closeLabel={common.close}>
      <p className="flex items-center gap-3 rounded-md bg-primary-soft px-4 py-3 text-sm">
        <Smartphone className="size-6 shrink-0 text-primary" aria-hidden="true" />
        {newTag.scanHint}
      </p>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <TextField
          label={newTag.codeLabel}
          hint={newTag.codeHint}
          error={invalid ? newTag.codeInvalid : undefined}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setInvalid(false);
          }}
          dir="ltr"
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
        />
        <Button type="submit" disabled={typed.trim() === ''}>
          {newTag.continue}
        </Button>
      </form>
      <div className="flex flex-col gap-1.5 border-line border-t pt-5">
        <LinkButton variant="outline" to={`/item/${NEW_ITEM}`}>
          {newTag.withoutSticker}
        </LinkButton>
        <p className="text-ink-soft text-xs">{newTag.withoutStickerHint}</p>
      </div>
    </Dialog>
  );
}
