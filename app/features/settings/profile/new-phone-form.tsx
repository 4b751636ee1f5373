import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { setUnverifiedPhone } from '#app/data/profile.ts';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { PhoneField } from '#app/form/phone-field.tsx';
import { checkTypedPhone, readTypedPhone } from '#app/form/read-typed-phone.ts';
import { useForm } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { profileWords } from '#words/profile.ts';

interface NewPhoneFormProps {
  readonly userId: string;
  /** A code was sent to this number, in E.164. */
  readonly onSent: (phone: string) => Promise<void>;
  /** The number is saved unproved, because this service sends no SMS. */
  readonly onSaved: () => Promise<void>;
}

export function NewPhoneForm({ userId, onSent, onSaved }: NewPhoneFormProps) {
  const texts = useSignInTexts();
  const { auth, authErrors } = texts;
  const { profile } = profileWords(useLanguage());
  const { codesGoBySms } = usePublicConfig();
  const { withRecentProof, proofDialog } = useRecentProof();
  const { frame, errors, edited, busy } = useForm({
    fields: ['phone', 'country'],
    check: (form) => checkTypedPhone(form, texts),
    send: async (form) => {
      const phone = await readTypedPhone(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const client = await browserClient();
      if (!codesGoBySms) {
        await withRecentProof(() => setUnverifiedPhone(client, userId, phone));
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
          enterKeyHint="send"
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
