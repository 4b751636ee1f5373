import { useLocation, useNavigate } from 'react-router';

/**
 * Whether a dialog is open, stored as the URL's hash: opening it adds a history entry, so that a phone's Back closes
 * the dialog and stays on the page. The router loads the page's data anew when it closes.
 *
 * @example const [open, setOpen] = useHashDialog('#scan');
 */
export function useHashDialog(own: `#${string}`): [boolean, (open: boolean) => void] {
  const { hash, key, pathname, search } = useLocation();
  const navigate = useNavigate();

  const setOpen = (open: boolean) => {
    // The URL may have changed since this was rendered, when a scan navigated away.
    if (open === (location.hash === own)) return;
    const here = { pathname, search };
    if (open) void navigate({ ...here, hash: own }, { preventScrollReset: true });
    // The page was opened with the dialog, so there is no own history entry to go back to.
    else if (key === 'default') void navigate(here, { replace: true, preventScrollReset: true });
    else void navigate(-1);
  };
  return [hash === own, setOpen];
}
