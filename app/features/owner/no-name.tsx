import { useTexts } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';

/** Asks an owner for a name whose finders are shown none: the profile has none, or an address or a number in its place. */
export function NoName() {
  const { dashboard } = useTexts();
  return (
    <p className="flex flex-wrap items-center text-ink-soft">
      {dashboard.noName}
      <LinkButton variant="quiet" className="-my-1 px-3!" to="/profile">
        {dashboard.addName}
      </LinkButton>
    </p>
  );
}
