import type { Session } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { resolveTagCode } from '#domain/tag-code/resolve-tag-code.ts';
import { currentSession } from './current-session.ts';
import { readPublicConfig } from './read-public-config.ts';
import { authPath, rememberReturnPath } from './return-path.ts';
import { readStoredUserId, sessionStorageKey } from './session/stored-session.ts';
import { clearStoredTagCode, rememberTagCode } from './stored-tag-code.ts';

/**
 * Returns the session for a screen of the owner's. Throws the router's redirect where the URL of `request` names a tag
 * code: to its item (specification, section 2). Without a session it throws the one to the sign-in, which leads to that
 * item too, or else back to the URL.
 */
export async function requireSession(request: Request): Promise<Session> {
  const session = await currentSession();
  const address = new URL(request.url);
  if (session === null) {
    rememberReturnPath(request.url);
    throw redirect(authPath(rememberTagCode(address)));
  }
  const code = resolveTagCode(address);
  if (code === null) return session;
  // What the tab was opened with before is over.
  clearStoredTagCode();
  throw redirect(`/item/${code}`);
}

/**
 * Returns the id of the user whose session is stored, also where it cannot be refreshed at the moment; null without one.
 * Only tells accounts apart: what a session allows is the service's decision.
 */
export function storedUserId(): string | null {
  try {
    return readStoredUserId(sessionStorageKey(readPublicConfig().storagePrefix));
  } catch {
    return null;
  }
}

/** Whether storage contains a session. Recognizes a visitor without fetching the library. */
export function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionStorageKey(readPublicConfig().storagePrefix)) !== null;
  } catch {
    return false;
  }
}
