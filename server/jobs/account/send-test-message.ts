import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { AddressRefused, MailNotTaken } from '#server/delivery/email/smtp-delivery.ts';
import { isTextable } from '#server/delivery/sms/may-be-texted.ts';
import { NumberRefused } from '#server/delivery/sms/sms-sender.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { JobTakenOver } from '#server/jobs/queue/own-job.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import { smsBudget } from '#server/limits/limits.ts';
import { takeAll } from '#server/limits/rate-limits.ts';

/** The payload of jobs queued by `internal.enqueue_test_message`. */
export const testMessagePayload = v.object({
  id: v.pipe(v.string(), v.uuid()),
  user_id: v.pipe(v.string(), v.uuid()),
  way: v.picklist(['email', 'sms']),
});

type TestMessage = v.InferOutput<typeof testMessagePayload>;
type Needs = Pick<Dependencies, 'database' | 'delivery' | 'config' | 'limits'>;

interface Account {
  readonly email: string | null;
  /** The proved number, E.164 without the plus. */
  readonly phone: string | null;
  readonly language: string | null;
}

interface Result {
  readonly outcome: 'sent' | 'refused' | 'failed' | 'too_many';
  /** Codes of the mail server, such as `EENVELOPE 550`. */
  readonly codes: string | null;
}

/** Sends an owner a test by email or SMS, and stores what became of it. It is tried once. */
export async function sendTestMessage(needs: Needs, job: TestMessage): Promise<void> {
  const result = await trySending(needs, job);
  if (result === null) return;
  await needs.database.asService({
    name: 'note_test_message',
    text: 'update public.test_notices set outcome = $3, codes = $4 where user_id = $1 and way = $2',
    values: [job.user_id, job.way, result.outcome, result.codes],
  });
}

/** Null where the address or the number is gone. */
async function trySending(needs: Needs, { id, user_id: userId, way }: TestMessage): Promise<Result | null> {
  const { database, delivery, limits, config } = needs;
  const { rows } = await database.asService<Account>({
    name: 'account_to_test',
    text: `select email, case when phone_confirmed_at is not null then phone end as phone,
        (select language from public.profiles where id = account.id) as language
      from auth.users as account where id = $1 and deleted_at is null`,
    values: [userId],
  });
  const [account] = rows;
  const to = way === 'email' ? account?.email : account?.phone;
  if (account === undefined || to === undefined || to === null) return null;
  const { retryAfterSeconds, giveBack } = await takeAll(limits, way === 'sms' ? smsBudget({ isProved: true }) : []);
  if (retryAfterSeconds !== null) return { outcome: 'too_many', codes: null };
  const { productName: product, publicUrl } = config;
  const { language, texts } = await ownerLetters(config, account.language);
  const { title, body } = texts.push.test({ product });
  const key = `test:${id}`;
  try {
    if (way === 'email') {
      const url = `${publicUrl}/profile/notifications`;
      const parts = [{ kind: 'text', text: body } as const, { kind: 'link', label: url, url } as const];
      const content = { subject: `${product}: ${title}`, heading: title, parts };
      await delivery.sendEmail({ to, ...composeMail(content, product, language), key });
    } else {
      const number = `+${to}`;
      if (!delivery.hasSms || !isTextable({ config }, number)) return { outcome: 'refused', codes: null };
      await delivery.sendSms({ to: number, text: `${product}: ${body}`, key });
    }
    return { outcome: 'sent', codes: null };
  } catch (error) {
    await giveBack();
    if (error instanceof JobTakenOver) throw error;
    const isRefused = error instanceof AddressRefused || error instanceof NumberRefused;
    return { outcome: isRefused ? 'refused' : 'failed', codes: codesIn(error) };
  }
}

/** The codes that `MailNotTaken` ends with. */
function codesIn(error: unknown): string | null {
  return error instanceof MailNotTaken ? (/\(([A-Z0-9 ]{1,80})\)\.$/.exec(error.message)?.[1] ?? null) : null;
}
