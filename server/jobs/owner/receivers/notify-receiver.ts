import type { Language } from '#domain/language.ts';
import type { LetterTexts } from '#domain/texts/letters/letters.ts';
import { messageInWords } from '#domain/texts/message-in-words.ts';
import { OutboundFailure, RESPONSE_MS } from '#server/delivery/outbound/outbound-client.ts';
import { loadLanguage } from '#server/languages/load-language.ts';
import { giveWay } from './give-way.ts';
import { waitForHost } from './host-budget.ts';
import { accept, end, fail, noteAttempt, noteStatus, retryIn } from './note-outcome.ts';
import { NotNow } from './owner-turns.ts';
import { readReceiver } from './read-receiver.ts';
import {
  type NoticedChange,
  type ReceiverJob,
  type ReceiverKind,
  type ReceiverNeeds,
  type ReceiverOutcome,
  type ReceiverRow,
  subjectOf,
} from './receiver.ts';

/** Returns what a notification of a change of the account says, or that of a test, and the URL that a tap opens. */
export function accountNotice(
  { productName: product, publicUrl }: ReceiverNeeds['config'],
  { push }: LetterTexts,
  change: NoticedChange | null,
): { readonly title: string; readonly body: string; readonly click: string } {
  return change === null
    ? { ...push.test({ product }), click: `${publicUrl}/profile/notifications` }
    : { ...push.change({ product, change: change.kind }), click: `${publicUrl}/profile/security#changes` };
}

/**
 * Returns what a notification shows of a message, for owners who chose texts: the finder's tap and place, and the words; null
 * where there are none. Coordinates say nothing at a glance.
 */
export async function shownText(
  { tag }: Pick<Language, 'tag'>,
  { body, message_kind: kind, place, moment, time_zone, desk, amount, currency, owner_zone }: ReceiverRow,
): Promise<string | null> {
  if (kind === null) return null;
  const fields = { moment, time_zone, desk, amount, currency };
  const message = { kind, place, location: null, ...fields, body: body ?? '' };
  return messageInWords(message, await loadLanguage(tag), owner_zone ?? undefined) || null;
}

/**
 * Tells one receiver of a message or of a change of the account, or sends it a test. A message that has been read, replied
 * to, or is a day old is not told, nor is one of a conversation that was muted, blocked, or returned in the meantime. In the
 * owner's quiet hours the receiver may wait; of each conversation, the latest message is told when they end. A change waits
 * for nothing.
 *
 * After a failure the receiver waits, with growing intervals, and its jobs with it, so that one that is slow or unavailable
 * costs one attempt at a time, however many messages there are. Receivers that have accepted nothing yet, or not the last
 * thing, have workers of their own, and so have those that are known.
 */
export async function notifyReceiver<Row extends ReceiverRow>(
  needs: ReceiverNeeds,
  kind: ReceiverKind<Row>,
  job: ReceiverJob,
): Promise<void> {
  const { sent } = needs;
  const { receiverId, messageId } = job;
  const found = await readReceiver(needs, kind, job);
  if (found === undefined) return;
  // What has no flag was queued while the receiver was known.
  if (needs.forKnown && !found.is_proved) return retryIn(needs, kind, job, found, 0);
  const id = subjectOf(job);
  if (messageId !== null) {
    // The message may have waited until it was too old.
    if (found.conversation_id === null && found.has_failed_too_long) return end(needs, kind, job, found);
    if (found.conversation_id === null || !found.is_wanted) return;
    if (found.quiet_for > 0) return retryIn(needs, kind, job, found, found.quiet_for);
  }
  if (id !== null && found.wait_seconds > 0) return retryIn(needs, kind, job, found, found.wait_seconds);

  // It was accepted before a crash, which may have come before this was stored.
  const key = id === null ? null : `${kind.sentName}:${receiverId}:${id}`;
  if (key !== null && (await sent.has(key))) return accept(needs, kind, job);
  const counter = [
    'message_notices_per_receiver',
    found.owner_has_replied === true ? `${receiverId} replied` : receiverId,
  ] as const;
  if (id !== null && !(await needs.limits.take(...counter)).allowed) return;

  const giveBack = async () => (id === null ? undefined : needs.limits.giveBack(...counter));
  const result = await attempt(needs, kind, found).catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  // Before anything that may fail, or the receiver would be told again.
  if (result.kind === 'accepted' && key !== null) await sent.add(key);
  if (result.kind !== 'accepted') await giveBack();
  if (result.kind !== 'busy' && result.status > 0) await noteStatus(needs, kind, receiverId, result.status);
  switch (result.kind) {
    case 'accepted':
      return accept(needs, kind, job);
    case 'ended':
      return end(needs, kind, job, found);
    case 'busy':
      return retryIn(needs, kind, job, found, result.seconds);
    case 'failed':
      return fail(needs, kind, job, found, result);
  }
}

type Attempt = ReceiverOutcome | { readonly kind: 'busy'; readonly seconds: number };

/**
 * Makes the attempt where it is its owner's turn. One without a response counts as if it had taken all the time there is,
 * or the next one would tell how soon the receiver's host ended the connection.
 */
async function attempt<Row extends ReceiverRow>(
  needs: ReceiverNeeds,
  kind: ReceiverKind<Row>,
  row: Row,
): Promise<Attempt> {
  let begun = performance.now();
  try {
    return await needs.turns.run(row.user_id, async () => {
      const seconds = await waitForHost(needs.limits, row);
      if (seconds > 0) throw new NotNow(seconds);
      await needs.confirmJob();
      await noteAttempt(needs, kind, row);
      begun = performance.now();
      return await giveWay(needs, kind, row, (signal) => kind.send(row, signal));
    });
  } catch (error) {
    if (error instanceof NotNow) return { kind: 'busy', seconds: error.seconds };
    if (!(error instanceof OutboundFailure)) throw error;
    needs.log.info({ err: error }, `${kind.called} gave no response; it is tried again.`);
    const rest = Math.max(RESPONSE_MS - (performance.now() - begun), 0);
    return { kind: 'failed', status: 0, retryAfter: null, unusedSeconds: rest / 1_000 };
  }
}
