import { useLocation, useNavigate } from 'react-router';

/**
 * Whether a dialog is open, kept in the address as its hash: opening it is a step in the history, so that a phone's
 * Back closes it and stays on the page. A change of the hash alone loads nothing anew.
 *
 * @example const [open, setOpen] = useHashDialog('#scan');
 */
export function useHashDialog(own: `#${string}`): [boolean, (open: boolean) => void] {
  const { hash, key, pathname, search } = useLocation();
  const navigate = useNavigate();

  const setOpen = (open: boolean) => {
    // The address may have changed since this was rendered, when a scan led on.
    if (open === (location.hash === own)) return;
    const here = { pathname, search };
    if (open) void navigate({ ...here, hash: own }, { preventScrollReset: true });
    // The page was opened with the dialog: there is no step of ours to take back.
    else if (key === 'default') void navigate(here, { replace: true, preventScrollReset: true });
    else void navigate(-1);
  };
  return [hash === own, setOpen];
}
