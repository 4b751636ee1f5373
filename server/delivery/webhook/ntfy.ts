import type { OutboundRequest } from '#server/delivery/outbound/outbound-client.ts';

/** A notification that is published to a topic of ntfy. */
export interface NtfyNotification {
  readonly title: string;
  readonly body: string;
  /** The URL that a tap opens. */
  readonly click: string;
  /** An access token of the ntfy server; null where the topic needs none. */
  readonly token: string | null;
}

/** Notifications are urgent: they may make a sound although the phone saves power. From 1 to 5. */
const PRIORITY = '4';
/** Shown as an emoji before the title. */
const TAGS = 'label';

/** Returns the request that publishes a notification to the URL of a topic (https://docs.ntfy.sh/publish/). */
export function ntfyRequest({ title, body, click, token }: NtfyNotification): OutboundRequest {
  return {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      Title: headerText(title),
      Click: click,
      Priority: PRIORITY,
      Tags: TAGS,
      ...(token !== null && { Authorization: `Bearer ${token}` }),
    },
    body,
  };
}

/** Text beyond printable ASCII is encoded (RFC 2047), so that no character of it can end the header. */
function headerText(text: string): string {
  return /^[ -~]*$/.test(text) && !text.includes('=?')
    ? text
    : `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
