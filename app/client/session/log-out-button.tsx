import { useNavigate } from 'react-router';
import { showAccountToast } from '#app/client/account-toast.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { SignOutButton } from './sign-out-button.tsx';

/** Signs this browser out, and shows the form to sign in with a notice. */
export function LogOutButton() {
  const { dashboard, toasts } = useTexts();
  const navigate = useNavigate();
  const goToSignIn = () => {
    showAccountToast('success', toasts.signedOut);
    return navigate('/auth');
  };
  return <SignOutButton label={dashboard.logout} onSignedOut={goToSignIn} />;
}
