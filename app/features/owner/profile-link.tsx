import { UserRound } from 'lucide-react';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';

/** Leads to the profile. */
export function ProfileLink() {
  const { dashboard } = useMessages();
  return (
    <LinkButton variant="quiet" to="/profile">
      <UserRound className="size-5" aria-hidden="true" />
      {dashboard.profile}
    </LinkButton>
  );
}
