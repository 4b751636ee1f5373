import { UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import type { Profile } from '#app/data/profile.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { PictureControls } from './picture-controls.tsx';
import { setAvatar, signAvatar } from './stored-pictures.ts';
import { usePictureUpload } from './use-picture-upload.ts';

/** The picture of the signed-in user, visible only to that user. */
export function AvatarField({ profile: { id: userId, avatar } }: { readonly profile: Profile }) {
  const { photos } = useTexts();
  const texts = photos.avatar;
  const [hasPicture, setHasPicture] = useState(avatar !== null);
  const [address, setAddress] = useState<string | null>(null);
  const [removing, setRemoving] = useState(false);

  useEffect(() => {
    if (avatar === null) return;
    let current = true;
    // Without a connection the placeholder stays, and the rest of the screen says why.
    signAvatar(avatar)
      .then((signed) => current && setAddress(signed))
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [avatar]);

  const upload = usePictureUpload('avatars', async (name) => {
    await setAvatar(await browserClient(), userId, name);
    setHasPicture(true);
    showToast('success', texts.saved);
    // The picture is saved, whether or not it can be shown at once: a failure here must not remove it.
    await signAvatar(name).then(setAddress, () => undefined);
  });

  const remove = async () => {
    setRemoving(true);
    try {
      await setAvatar(await browserClient(), userId, null);
      setHasPicture(false);
      setAddress(null);
      showToast('success', texts.removed);
    } catch {
      showToast('failure', photos.removeFailed);
    }
    setRemoving(false);
  };

  const shown = upload.state.step === 'uploading' ? upload.state.preview : address;
  return (
    <Card className="flex flex-col gap-4 sm:flex-row sm:items-center sm:gap-6">
      <span className="grid size-24 shrink-0 place-content-center overflow-hidden rounded-full bg-primary-soft text-primary">
        {shown === null ? (
          <UserRound className="size-10" aria-hidden="true" />
        ) : (
          <img src={shown} alt={texts.alt} width={96} height={96} decoding="async" className="size-24 object-cover" />
        )}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div>
          <h2 className="font-bold text-xl">{texts.title}</h2>
          <p className="text-ink-soft text-sm">{texts.hint}</p>
        </div>
        <PictureControls
          upload={upload}
          texts={texts}
          hasPicture={hasPicture}
          removing={removing}
          onRemove={() => void remove()}
        />
      </div>
    </Card>
  );
}
