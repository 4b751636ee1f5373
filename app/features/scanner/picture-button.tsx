import { type ReactNode, useRef, useState } from 'react';
import { readPictureFile } from '#app/decode/read-picture-file.ts';
import { DECODER } from '#app/decode/worker-address.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';

interface PictureButtonProps {
  readonly icon: ReactNode;
  readonly onText: (text: string) => void;
}

/** Reads a code from a picture file: a photo of the sticker, or a received picture. */
export function PictureButton({ icon, onText }: PictureButtonProps) {
  const { scanner } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const read = async (file: File) => {
    setBusy(true);
    setProblem(null);
    await readPictureFile(file, DECODER)
      .then(
        (text) => (text === null ? setProblem(scanner.pictureWithoutCode) : onText(text)),
        () => setProblem(scanner.pictureUnreadable),
      )
      .finally(() => setBusy(false));
  };

  return (
    <div className="contents">
      <Button variant="outline" busy={busy} onClick={() => input.current?.click()}>
        {!busy && icon}
        {busy ? scanner.readingPicture : scanner.choosePicture}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={scanner.choosePicture}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Lets the same picture be chosen again.
          target.value = '';
          if (file !== undefined) void read(file);
        }}
      />
      {problem !== null && (
        <p role="alert" className="order-last col-span-full text-center font-medium text-danger text-sm">
          {problem}
        </p>
      )}
    </div>
  );
}
