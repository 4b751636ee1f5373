import { isStopped } from '#server/delivery/email/stopped-recipients.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { Counter } from '#server/limits/rate-limits.ts';
import type { AuthService } from '../auth-service.ts';
import type { Destination } from './send-code.ts';

/**
 * Counts a code for a recipient that the account has not proved, and who may be another person. Beyond the day's few, the
 * first one for each network address is sent all the same: it may be the recipient's own, which no stranger may keep back.
 * So it is for a reader who stopped all emails.
 * Returns what was counted; null where nothing may be sent.
 */
export async function takeUnprovedAllowance(
  service: Pick<AuthService, 'limits' | 'config' | 'database' | 'secrets'>,
  { channel, recipient, client }: Destination & { readonly client: string },
): Promise<readonly Counter<LimitName>[] | null> {
  // Jobs count what they send by the same name.
  const shared = ['messages_to_unproved_recipient', recipient] as const;
  const { limits } = service;
  const isWanted = channel === 'sms' || !(await isStopped(service, recipient));
  if (isWanted && (await limits.take(...shared)).allowed) return [shared];
  const own = ['own_codes_per_recipient_and_address', `${recipient} ${client}`] as const;
  if (client !== '' && (await limits.take(...own)).allowed) return [own];
  return null;
}
