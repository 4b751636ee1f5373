import type { Session } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import * as v from 'valibot';
import { sessionStorageKey } from './browser-client.ts';
import { currentSession } from './current-session.ts';
import { readPublicConfig } from './read-public-config.ts';
import { authPath, rememberReturnPath } from './return-path.ts';
import { rememberTagCode } from './stored-tag-code.ts';

/** Returns the session, or throws the router's redirect to the sign-in, which leads back to the URL of `request`. */
export async function requireSession(request: Request): Promise<Session> {
  const session = await currentSession();
  if (session !== null) return session;
  rememberReturnPath(request.url);
  throw redirect(authPath(rememberTagCode(new URL(request.url))));
}

/**
 * Returns the id of the user whose session is stored, also where it cannot be refreshed at the moment; null without one.
 * Only tells accounts apart: what a session allows is the service's decision.
 */
export function storedUserId(): string | null {
  try {
    const stored = localStorage.getItem(sessionStorageKey(readPublicConfig().storagePrefix));
    const parsed = v.safeParse(storedSession, JSON.parse(stored ?? 'null'));
    return parsed.success ? parsed.output.user.id : null;
  } catch {
    return null;
  }
}

/** Written by auth-js. */
const storedSession = v.object({ user: v.object({ id: v.string() }) });

/** Whether storage contains a session. Recognizes a visitor without fetching the library. */
export function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionStorageKey(readPublicConfig().storagePrefix)) !== null;
  } catch {
    return false;
  }
}
