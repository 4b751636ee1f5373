import * as v from 'valibot';
import type { Dependencies } from '#server/dependencies.ts';
import { sendChangeNotice } from './send-change-notice.ts';

/** The payload of jobs queued by `internal.enqueue_new_sign_in_notice`. */
export const newSignInPayload = v.object({
  user_id: v.pipe(v.string(), v.uuid()),
  session_id: v.pipe(v.string(), v.uuid()),
});

/**
 * Notifies an owner of a sign-in on a new device. A client without cookies is a new device each time, so an account gets a
 * limited number a day, and none beyond it.
 */
export async function notifyNewSignIn(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'config' | 'secrets' | 'limits'>,
  { user_id: userId, session_id: sessionId }: v.InferOutput<typeof newSignInPayload>,
): Promise<void> {
  const { database, limits } = needs;
  const { rows } = await database.asService<{ device: string; created_at: Date }>({
    name: 'sign_in_to_notify_of',
    text: 'select device, created_at from auth.sessions where id = $2 and user_id = $1',
    values: [userId, sessionId],
  });
  const [signIn] = rows;
  if (signIn === undefined) return;
  const counter = ['account_notices_per_account', userId] as const;
  if (!(await limits.take(...counter)).allowed) return;
  try {
    await sendChangeNotice(needs, {
      id: sessionId,
      kind: 'new_sign_in',
      user_id: userId,
      session_id: sessionId,
      at: signIn.created_at.toISOString(),
      about: signIn.device,
    });
  } catch (error) {
    await limits.giveBack(...counter);
    throw error;
  }
}
