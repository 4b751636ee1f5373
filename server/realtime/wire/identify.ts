import type { ChannelIdentity } from './channel.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { type TokenRefusal, tokenRefusal } from './realtime-errors.ts';

/** Who an access token or API key stands for, or why it is refused. A token whose session has ended is refused too. */
export async function identify(
  { resolveCaller, now }: Pick<RealtimeContext, 'resolveCaller' | 'now'>,
  token: string | null,
  /** The header of a request that has one; it goes before a key. */
  authorization: string | null = null,
): Promise<ChannelIdentity | TokenRefusal> {
  const resolved = await resolveCaller(authorization, token);
  if (!resolved.ok) return tokenRefusal(resolved, now());
  return { caller: resolved.caller, token: resolved.token };
}
