import type { ReactNode } from 'react';
import { authPath } from '#app/client/return-path.ts';
import { useSignedIn } from '#app/client/use-signed-in.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { FreeStickerNote } from '#app/item/sticker/free-sticker-note.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { LogoMark } from '#app/ui/logo.tsx';
import { Page } from './page.tsx';

/** `action`: another way on, such as scanning again. */
export function NotFoundScreen({ action }: { readonly action?: ReactNode }) {
  const { notFound } = useTexts();
  return (
    <Page signedIn={useSignedIn()}>
      <div className="flex flex-col items-center gap-5 py-10 text-center">
        <LostTag />
        <h1 className="font-bold text-3xl">{notFound.title}</h1>
        <p className="text-ink-soft">{notFound.text}</p>
        <LinkButton to="/">{notFound.home}</LinkButton>
        {action}
      </div>
    </Page>
  );
}

/** A tag with a loose cord. */
function LostTag() {
  return (
    <svg viewBox="0 0 160 120" className="w-40" fill="none" aria-hidden="true">
      <path
        d="M8 92c26 14 38-22 22-30s-24 18-2 20 34-30 58-34"
        className="stroke-line-strong"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray="1 8"
      />
      <g transform="rotate(14 112 62)">
        <path
          d="M96 26h32a10 10 0 0 1 7 3l12 12a10 10 0 0 1 3 7v44a10 10 0 0 1-10 10H84a10 10 0 0 1-10-10V48a10 10 0 0 1 3-7l12-12a10 10 0 0 1 7-3Z"
          className="fill-tag"
        />
        <circle cx="112" cy="42" r="6" className="fill-canvas" />
        <path
          d="M102 66a10 10 0 1 1 14 9c-3 1.5-4 3-4 6"
          className="stroke-on-tag"
          strokeWidth="4.5"
          strokeLinecap="round"
        />
        <circle cx="112" cy="90" r="3" className="fill-on-tag" />
      </g>
    </svg>
  );
}

interface NothingHereProps {
  readonly code: string;
  /** Whether an item can be tagged with the code. */
  readonly isClaimable: boolean;
}

/**
 * Shown for a code without an item: the visitor may hold its sticker and can tag an item with it. A void code and one
 * that is not known look the same.
 */
export function NothingHere({ code, isClaimable }: NothingHereProps) {
  const texts = useTexts();
  const { item } = texts;
  if (!isClaimable) {
    return (
      <div className="flex flex-col items-center gap-5 py-10 text-center">
        <LostTag />
        <h1 className="font-bold text-2xl">{item.notInUseTitle}</h1>
        <p className="text-ink-soft">{item.notInUseText}</p>
        {/* A document of its own, without the app. */}
        <LinkButton to="/found" reloadDocument>
          {item.notInUseAction}
        </LinkButton>
      </div>
    );
  }
  return (
    <div className="flex flex-col items-center gap-5 py-10 text-center">
      <LogoMark className="size-20 -rotate-6" />
      <h1 className="font-bold text-2xl">{item.placeholderTitle}</h1>
      <p className="text-ink-soft">{item.placeholderText}</p>
      <LinkButton to={authPath(code)}>{item.placeholderAction}</LinkButton>
      <FreeStickerNote texts={texts} href={`/item/${code}`} />
    </div>
  );
}
