import { UserRound } from 'lucide-react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';

/** A link to the profile. */
export function ProfileLink() {
  const { dashboard } = useTexts();
  return (
    <LinkButton variant="quiet" to="/profile">
      <UserRound className="size-5" aria-hidden="true" />
      {dashboard.profile}
    </LinkButton>
  );
}
