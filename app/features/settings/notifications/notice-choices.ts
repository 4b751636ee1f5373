import type { DataClient } from '#app/client/data-client.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';

/** A way that has a switch for each kind of message. */
export type SwitchedWay = 'email' | 'push' | 'sms';

/** Kinds of messages: a finder has the item, someone else writes for the first time, or someone writes more. */
export const MESSAGE_EVENTS = ['has', 'first', 'more'] as const;
export type MessageEvent = (typeof MESSAGE_EVENTS)[number];

type EventSwitch = `${SwitchedWay}_${MessageEvent}`;

/** A way of learning of messages, or of some of them, that is on or off. */
export type NoticeSwitch = SwitchedWay | 'reminder' | EventSwitch;

/** Between which times notifications and SMS wait. Times are as `22:00`, by the clock of an IANA time zone. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/** How an owner learns of messages. */
export interface NoticeChoices extends Readonly<Record<NoticeSwitch, boolean>> {
  readonly quietHours: QuietHours | null;
}

interface NoticeSettingsRow extends Readonly<Record<NoticeSwitch, boolean>> {
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  readonly time_zone: string | null;
}

/** What an account without a row has. */
const DEFAULTS: NoticeChoices = {
  email: true,
  email_has: true,
  email_first: true,
  email_more: true,
  push: true,
  push_has: true,
  push_first: true,
  push_more: true,
  sms: false,
  sms_has: true,
  sms_first: true,
  sms_more: true,
  reminder: true,
  quietHours: null,
};

/** Returns the caller's choices. Throws the data service's error. */
export async function loadNoticeChoices(client: DataClient): Promise<NoticeChoices> {
  const { data, error } = await client
    .from('notice_settings')
    .select(
      `email, email_has, email_first, email_more, push, push_has, push_first, push_more, sms, sms_has, sms_first, sms_more,
        reminder, quiet_from, quiet_to, time_zone`,
    )
    .maybeSingle()
    .overrideTypes<NoticeSettingsRow, { merge: false }>();
  if (error) throw error;
  if (data === null) return DEFAULTS;
  const { quiet_from: from, quiet_to: to, time_zone: timeZone, ...switches } = data;
  const quietHours =
    from === null || to === null || timeZone === null ? null : { from: minutesOf(from), to: minutesOf(to), timeZone };
  return { ...switches, quietHours };
}

/** The database adds seconds. */
function minutesOf(time: string): string {
  return time.slice(0, 5);
}

type Saved = 'saved' | 'refused' | 'unreachable';

/** Turns a way on or off. Throws the error of a proof that is too old. After `unreachable` it is safe to retry. */
export function saveNoticeSwitch(
  client: DataClient,
  userId: string,
  name: NoticeSwitch,
  isOn: boolean,
): Promise<Saved> {
  return save(client, { user_id: userId, [name]: isOn });
}

/** Sets the quiet hours, or removes them. Throws the error of a proof that is too old. After `unreachable` it is safe to retry. */
export function saveQuietHours(client: DataClient, userId: string, hours: QuietHours | null): Promise<Saved> {
  return save(client, {
    user_id: userId,
    quiet_from: hours?.from ?? null,
    quiet_to: hours?.to ?? null,
    time_zone: hours?.timeZone ?? null,
  });
}

async function save(
  client: DataClient,
  row: { readonly user_id: string } & Readonly<Record<string, unknown>>,
): Promise<Saved> {
  const { error, status } = await client.from('notice_settings').upsert(row);
  if (error === null) return 'saved';
  if (error.code === 'PT403') throw error;
  return isUnreachable(status) ? 'unreachable' : 'refused';
}
