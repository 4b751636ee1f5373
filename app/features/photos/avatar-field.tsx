import { UserRound } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import type { Profile } from '#app/data/profile.ts';
import { Retry } from '#app/resilience/retry.tsx';
import { Card } from '#app/ui/card.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { PictureControls } from './picture-controls.tsx';
import { setAvatar, signAvatar } from './stored-pictures.ts';
import { usePhotoTexts } from './use-photo-texts.ts';
import { usePictureUpload } from './use-picture-upload.ts';

/** The picture of the signed-in user, visible only to that user. */
export function AvatarField({ profile: { id: userId, avatar } }: { readonly profile: Profile }) {
  const photos = usePhotoTexts();
  const texts = photos.avatar;
  const { revalidate } = useRevalidator();
  const [hasPicture, setHasPicture] = useState(avatar !== null);
  const [address, setAddress] = useState<string | null>(null);
  const [removing, setRemoving] = useState(false);

  /** The picture whose address could not be fetched yet. */
  const [unsigned, setUnsigned] = useState<string | null>(null);
  /** The picture that is shown, or is about to be. */
  const current = useRef(avatar);

  const show = async (name: string) => {
    current.current = name;
    await signAvatar(name).then(
      (signed) => {
        if (current.current !== name) return;
        setAddress(signed);
        setUnsigned(null);
      },
      // Meanwhile there is a placeholder, and the rest of the screen says why.
      () => setUnsigned(name),
    );
  };
  const showEvent = useEffectEvent(show);
  useEffect(() => {
    setHasPicture(avatar !== null);
    if (avatar === null) setAddress(null);
    else void showEvent(avatar);
  }, [avatar]);

  const upload = usePictureUpload('avatars', async (name, signal) => {
    const client = await browserClient();
    try {
      await setAvatar(client, userId, name, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    // Cancelled while it was being saved: the profile says which picture it has.
    if (signal.aborted) return revalidate();
    setHasPicture(true);
    announce(texts.saved);
    // The picture is saved, whether or not it can be shown at once: a failure here must not remove it.
    await show(name);
  });

  const remove = async () => {
    setRemoving(true);
    try {
      await setAvatar(await browserClient(), userId, null);
      setHasPicture(false);
      setAddress(null);
      setUnsigned(null);
      current.current = null;
      announce(texts.removed);
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
      {unsigned !== null && <Retry retry={() => show(unsigned)} />}
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
