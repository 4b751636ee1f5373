/** A part of the app that is gone from the server, although the document was loaded again for it. */
export class MissingPart extends Error {}

let destination: string | null = null;
/** The address for which this document is being left. */
let leavingFor: string | null = null;

/** Names the address that is being opened, from which a new document is loaded where one is needed; null where none is. */
export function setDestination(address: string | null): void {
  destination = address;
  // The page still takes a click while its document is requested.
  if (leavingFor !== null && address !== null) loadDocument(address);
}

/** Loads the document of an address, also of the current one. */
export function loadDocument(address: string): void {
  if (leavingFor === address) return;
  leavingFor = address;
  if (address === location.pathname + location.search + location.hash) location.reload();
  else location.assign(address);
}

/**
 * Loads a part of the app that is fetched later than the document. After an update of the service its file may be gone:
 * then the document is loaded again, once for each file, and the promise never settles. Rejects with `MissingPart` where
 * that did not help, and otherwise with the failure, such as a lost connection. For what the user needs now: a part that is
 * fetched in advance or in the background must not take away the page that they use.
 *
 * @example const { Scanner } = await loadPart(() => import('./scanner.tsx'));
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    // Most failures of a connection have passed by the second attempt.
    return await load().catch(load);
  } catch (failure) {
    return renewIfGone(failure);
  }
}

/**
 * As `loadPart`, for a failure to load something by other means, such as a worker. Its message names the file if possible.
 */
export async function renewIfGone(failure: unknown): Promise<never> {
  const file = fileOf(failure);
  if (!(await isGone(file))) throw failure;
  // Without a memory that outlasts the document, it could be loaded for ever.
  if (!(sessionStorage instanceof Storage) || wasRenewedFor(file)) throw new MissingPart(file, { cause: failure });
  rememberRenewal(file);
  loadDocument(destination ?? location.pathname + location.search + location.hash);
  return new Promise<never>(() => {});
}

/** Returns the file that a failure is about. Safari names none: its document has a script of the same release. */
function fileOf(failure: unknown): string {
  const [named] = /(?:https?:\/)?\/[^\s'")]+/.exec(String(failure)) ?? [];
  return named ?? document.querySelector<HTMLLinkElement>('link[rel="modulepreload"]')?.href ?? location.href;
}

async function isGone(file: string): Promise<boolean> {
  try {
    const { status } = await fetch(file, { method: 'HEAD', cache: 'no-store' });
    return status === 404 || status === 410;
  } catch {
    return false;
  }
}

/** The key in session storage of the files for which this tab has loaded its document again, one a line. */
const RENEWED = 'renewed_for';

function wasRenewedFor(file: string): boolean {
  return (sessionStorage.getItem(RENEWED) ?? '').split('\n').includes(file);
}

function rememberRenewal(file: string): void {
  sessionStorage.setItem(RENEWED, `${sessionStorage.getItem(RENEWED) ?? ''}\n${file}`);
}
