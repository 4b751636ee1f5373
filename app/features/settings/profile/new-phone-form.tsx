import { explainAuthError } from '#app/lib/account/explain-auth-error.ts';
import { PhoneField } from '#app/lib/account/phone-field.tsx';
import { readTypedPhone } from '#app/lib/account/read-typed-phone.ts';
import { useRecentProof } from '#app/lib/account/recent-proof.tsx';
import { useForm } from '#app/lib/account/use-form.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { setUnverifiedPhone } from '#app/lib/profile.ts';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';

interface NewPhoneFormProps {
  readonly userId: string;
  /** A code is on its way to this number, in E.164. */
  readonly onSent: (phone: string) => Promise<void>;
  /** The number stands, unproved, because this service sends no SMS. */
  readonly onSaved: () => Promise<void>;
}

export function NewPhoneForm({ userId, onSent, onSaved }: NewPhoneFormProps) {
  const { auth, authErrors, profile, validation } = useMessages();
  const { codesGoBySms } = usePublicConfig();
  const { withRecentProof, proofDialog } = useRecentProof();
  const { frame, errors, edited, busy } = useForm({
    fields: ['phone', 'country'],
    check: async (form) => {
      if (form.phone.trim() === '') return { phone: validation.phoneRequired };
      return (await readTypedPhone(form)) === null ? { phone: auth.phoneInvalid } : {};
    },
    send: async (form) => {
      const phone = await readTypedPhone(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const client = await browserClient();
      if (!codesGoBySms) {
        await setUnverifiedPhone(client, userId, phone);
        await onSaved();
        return null;
      }
      const { error } = await withRecentProof(() => client.auth.updateUser({ phone }));
      if (error?.code === 'phone_exists') return { phone: profile.phoneTaken };
      if (error) return explainAuthError(error, 'profileFailed', authErrors);
      await onSent(phone);
      return null;
    },
  });

  return (
    <>
      <Form {...frame}>
        <PhoneField
          hint={codesGoBySms ? profile.newPhoneHint : profile.newPhoneHintUnverified}
          error={errors.phone}
          onEdit={() => edited('phone')}
        />
        <Button type="submit" busy={busy}>
          {codesGoBySms ? profile.sendCode : profile.save}
        </Button>
      </Form>
      {proofDialog}
    </>
  );
}
