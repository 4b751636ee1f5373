import { ImagePlus, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { useStickerTexts } from '../use-sticker-texts.ts';
import { type Logo, readLogo } from './read-logo.ts';

interface LogoChoiceProps {
  readonly logo: Logo | null;
  readonly onChange: (logo: Logo | null) => void;
}

/** A picture of the owner's own on every sticker. */
export function LogoChoice({ logo, onChange }: LogoChoiceProps) {
  const texts = useStickerTexts().logo;
  const hint = useId();
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** The file that was chosen last, which may be decoded sooner than the one before it. */
  const newest = useRef<File | null>(null);

  const read = (file: File) => {
    newest.current = file;
    setProblem(null);
    readLogo(file).then(
      (next) => newest.current === file && onChange(next),
      () => newest.current === file && setProblem(texts.unreadable),
    );
  };
  const remove = () => {
    newest.current = null;
    onChange(null);
    // Its button is gone.
    choose.current?.focus();
  };

  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={hint}>
      <legend className="mb-1.5 font-medium text-sm">{texts.legend}</legend>
      <input
        ref={input}
        type="file"
        accept="image/*"
        className="hidden"
        // The button below opens it.
        tabIndex={-1}
        aria-hidden="true"
        data-logo=""
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) read(file);
          // Lets the same file be chosen again.
          currentTarget.value = '';
        }}
      />
      {problem !== null && <Alert>{problem}</Alert>}
      <div className="flex flex-wrap items-center gap-3">
        {logo !== null && (
          <img
            src={logo.source}
            alt={texts.alt}
            className="h-14 max-w-40 rounded-sm border border-line-strong bg-[#fff] object-contain p-1 [forced-color-adjust:none]"
          />
        )}
        <Button ref={choose} variant="outline" onClick={() => input.current?.click()}>
          <ImagePlus className="size-5" aria-hidden="true" />
          {logo === null ? texts.choose : texts.replace}
        </Button>
        {logo !== null && (
          <Button variant="quiet" onClick={remove}>
            <Trash2 className="size-5" aria-hidden="true" />
            {texts.remove}
          </Button>
        )}
      </div>
      <p id={hint} className="text-ink-soft text-xs">
        {texts.hint}
      </p>
    </fieldset>
  );
}
