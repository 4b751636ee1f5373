import type { ChannelIdentity } from '../channels/channel.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { type TokenRefusal, tokenRefusal } from './realtime-errors.ts';

/** Returns the caller of an access token or API key, or the refusal. A token of an ended session is refused. */
export async function identify(
  { resolveCaller, now }: Pick<RealtimeContext, 'resolveCaller' | 'now'>,
  token: string | null,
  /** The Authorization header, which takes precedence over a key. */
  authorization: string | null = null,
): Promise<ChannelIdentity | TokenRefusal> {
  const resolved = await resolveCaller(authorization, token);
  if (!resolved.ok) return tokenRefusal(resolved, now());
  return { caller: resolved.caller, token: resolved.token };
}
