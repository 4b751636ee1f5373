/** Whether somebody has ever signed in with this browser. Without storage it is a new one each time. */
export function hasSignedIn(storagePrefix: string): boolean {
  try {
    return localStorage.getItem(keyOf(storagePrefix)) !== null;
  } catch {
    return false;
  }
}

/** Remembers it, also after a sign-out. It says nothing about who it was. */
export function rememberSignIn(storagePrefix: string): void {
  try {
    localStorage.setItem(keyOf(storagePrefix), '1');
  } catch {
    // The landing page then offers to create an account, as to a newcomer.
  }
}

const keyOf = (storagePrefix: string) => `${storagePrefix}_has_signed_in`;
