import { useEffect, useEffectEvent, useState } from 'react';
import { openFiles, signPicture } from '#app/client/open-files.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Retry } from '#app/resilience/retry.tsx';
import { messagePhotoWords } from '#words/message-photo.ts';

const BUCKET = 'message-photos';
/** In pixels, of the longer side. */
const SMALL = 320;

interface SignedSizes {
  readonly small: string;
  readonly whole: string;
}

/** The photo of a finder's message, which opens whole. Its place is kept while it loads. */
export function ThreadPhoto({ messageId }: { readonly messageId: string }) {
  const alt = messagePhotoWords(useLanguage()).ofFinder;
  const [signed, setSigned] = useState<SignedSizes | null>(null);
  const [isUnreached, setIsUnreached] = useState(false);
  const sign = () => signSizes(`${messageId}.webp`).then(setSigned, () => setIsUnreached(true));
  const signEvent = useEffectEvent(sign);
  useEffect(() => void signEvent(), []);

  if (signed === null) {
    return (
      <div role="img" aria-label={alt} aria-busy="true" className="h-40 w-40 rounded-lg bg-sunken">
        {isUnreached && <Retry retry={sign} />}
      </div>
    );
  }
  return (
    <a href={signed.whole} target="_blank" rel="noreferrer" className="w-fit rounded-lg">
      <img
        src={signed.small}
        alt={alt}
        height={160}
        decoding="async"
        className="h-40 max-w-full rounded-lg bg-sunken"
      />
    </a>
  );
}

async function signSizes(name: string): Promise<SignedSizes> {
  const files = await openFiles();
  const [small, whole] = await Promise.all([
    signPicture(files, BUCKET, { name, width: SMALL }),
    signPicture(files, BUCKET, { name }),
  ]);
  return { small, whole };
}
