import * as v from 'valibot';
import { NumberRefused, postToProvider, SmsNotTaken, type SmsSender } from './sms-sender.ts';

export interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** A number of the account in E.164, or the id of a messaging service (`MG…`). */
  readonly from: string;
  /** The API's URL; tests replace it. */
  readonly apiUrl?: string;
  readonly timeoutMs?: number;
}

/** https://www.twilio.com/docs/messaging/api/message-resource */
const taken = v.object({ sid: v.string(), error_code: v.nullish(v.number(), null) });
const refused = v.object({ code: v.number() });

/** The number is none, is no mobile number, or its holder has answered STOP. */
const OF_NUMBER: readonly number[] = [21211, 21214, 21217, 21610, 21614];

/** Sends through Twilio's Messages resource. Resolves once Twilio has queued the message. */
export function createTwilioSms({
  accountSid,
  authToken,
  from,
  apiUrl = 'https://api.twilio.com',
  timeoutMs = 10_000,
}: TwilioOptions): SmsSender {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  return {
    async sendSms({ to, text }) {
      const response = await postToProvider({
        provider: 'Twilio',
        url: `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
        headers: { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          To: to,
          Body: text,
          ...(from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }),
        }).toString(),
        timeoutMs,
      });
      const body: unknown = await response.json().catch(() => null);
      const { success, output } = v.safeParse(taken, body);
      if (response.ok && success && output.error_code === null) return;
      // Twilio's messages contain the number; its codes are enough: https://www.twilio.com/docs/api/errors
      const code = v.is(refused, body) ? body.code : success ? output.error_code : null;
      const Refusal = code !== null && OF_NUMBER.includes(code) ? NumberRefused : SmsNotTaken;
      throw new Refusal(
        `Twilio refused the message: status ${response.status}${code === null ? '' : `, error ${code}`}.`,
      );
    },
  };
}
