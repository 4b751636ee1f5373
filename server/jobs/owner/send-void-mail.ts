import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from '#server/jobs/sending/send-from-job.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';

const uuid = v.pipe(v.string(), v.uuid());

/** The payload of jobs queued by `internal.enqueue_void_mail`: one entry for each time that an operator voided codes. */
export const voidMailPayload = v.pipe(
  v.array(v.object({ id: uuid, owner_id: uuid, qr_ids: v.array(v.string()) })),
  v.minLength(1),
);

interface VoidCode {
  readonly email: string;
  readonly void_reason: string;
  /** Of the item that the sticker is on; null where it is on none. */
  readonly item_name: string | null;
  /** The owner's. */
  readonly language: string | null;
}

/**
 * Mails an owner that an operator has voided codes of theirs, to a proved address. Sends nothing where they work again, or
 * belong to the owner no more.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function sendVoidMail(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'config'>,
  entries: v.InferOutput<typeof voidMailPayload>,
): Promise<void> {
  const { productName, publicUrl } = needs.config;
  const { rows } = await needs.database.asService<VoidCode>({
    name: 'void_codes_to_mail',
    text: `select account.email, code.void_reason, item.item_name,
        (select language from public.profiles where id = account.id) as language
      from public.qr_codes as code
      join auth.users as account on account.id = code.owner_id and account.deleted_at is null
      left join public.items as item on item.qr_id = coalesce(code.stands_for, code.qr_id)
      where code.qr_id = any ($2) and code.owner_id = $1 and code.voided_at is not null
        and account.email is not null and account.email_confirmed_at is not null
      order by item.item_name, code.qr_id`,
    values: [entries[0]?.owner_id, entries.flatMap(({ qr_ids }) => qr_ids)],
  });
  const [first] = rows;
  if (first === undefined) return;
  const { language, texts } = await ownerLetters(needs.config, first.language);
  const content = texts.voidCodes({
    productName,
    count: rows.length,
    itemNames: [...new Set(rows.flatMap(({ item_name }) => item_name ?? []))],
    reasons: [...new Set(rows.map(({ void_reason }) => void_reason))],
    link: `${publicUrl}/dashboard`,
  });
  // Named by the last entry: one that was added after a delivery is delivered as well.
  const key = `void:${entries.at(-1)?.id}`;
  await sendFromJob(needs, { to: first.email, ...composeMail(content, productName, language), key });
}
