import { authPath } from '#app/lib/auth-path.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { LogoMark } from '#app/ui/logo.tsx';

/** For a visitor at a code that carries no item: it may be theirs to tag. */
export function NothingHere({ code }: { readonly code: string }) {
  const { item } = useMessages();
  return (
    <div className="flex flex-col items-center gap-5 py-10 text-center">
      <LogoMark className="size-20 -rotate-6" />
      <h1 className="font-bold text-2xl">{item.placeholderTitle}</h1>
      <p className="text-ink-soft">{item.placeholderText}</p>
      <LinkButton to={authPath(code)}>{item.placeholderAction}</LinkButton>
    </div>
  );
}
