import { useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { useForm } from '#app/form/use-form.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { CREDENTIAL_NAME_LENGTH } from '#domain/account/credential-limits.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { profileWords } from '#words/profile.ts';
import { useSecurityTexts } from './use-security-texts.ts';

interface RenamePasskeyProps {
  readonly id: string;
  /** In the reader's language. */
  readonly name: string;
  /** As it is stored; null for none. */
  readonly storedName: string | null;
  readonly onRenamed: () => Promise<void>;
}

/** Renames a passkey in a dialog. */
export function RenamePasskey(props: RenamePasskeyProps) {
  const { common } = useTexts();
  const { passkeys: texts } = useSecurityTexts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        className="px-3! text-sm!"
        aria-label={texts.renameOf(isolateName(props.name))}
        onClick={() => setOpen(true)}
      >
        {texts.rename}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={texts.renameTitle} closeLabel={common.close}>
        <NameForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function NameForm({ id, storedName, onRenamed, onDone }: RenamePasskeyProps & { readonly onDone: () => void }) {
  const { passkeys: texts } = useSecurityTexts();
  const { profile } = profileWords(useLanguage());
  const { frame, errors, edited, busy } = useForm({
    fields: ['name'],
    check: (form) => {
      const length = [...form.name.trim()].length;
      if (length === 0) return { name: texts.nameMissing };
      return length > CREDENTIAL_NAME_LENGTH ? { name: texts.nameTooLong(CREDENTIAL_NAME_LENGTH) } : {};
    },
    send: async (form) => {
      const { auth } = await browserClient();
      const { error } = await auth.passkey.update({ passkeyId: id, friendlyName: form.name.trim() });
      if (error) return texts.renameFailed;
      await onRenamed();
      onDone();
      return null;
    },
  });
  return (
    <Form {...frame}>
      <TextField
        label={texts.name}
        name="name"
        autoComplete="off"
        enterKeyHint="done"
        defaultValue={storedName ?? texts.unnamed}
        onChange={() => edited('name')}
        error={errors.name}
      />
      <Button type="submit" size="large" wide busy={busy}>
        {busy ? profile.saving : profile.save}
      </Button>
    </Form>
  );
}
