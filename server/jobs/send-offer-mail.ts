import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from './send-from-job.ts';

/** The payload of jobs queued by `internal.enqueue_offer_mail`. */
export const offerMailPayload = v.object({
  offer_id: v.pipe(v.string(), v.uuid()),
  about: v.picklist(['offer', 'acceptance']),
});

type OfferMail = v.InferOutput<typeof offerMailPayload>;

interface Offer {
  readonly email: string | null;
  readonly is_open: boolean;
  readonly is_accepted: boolean;
  readonly item_name: string;
  readonly giver_name: string | null;
  /** The address that the giver has proved. */
  readonly giver_email: string | null;
}

/**
 * Mails the address that an item is offered to, or the giver after the acceptance. Sends nothing where the offer is gone
 * or over, or the giver has no proved address. The offer's id is the delivery's key, so a job that is retried after a
 * crash sends no second mail.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function sendOfferMail(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'config'>,
  { offer_id: offerId, about }: OfferMail,
): Promise<void> {
  const { productName, publicUrl, defaultLanguage } = needs.config;
  const { rows } = await needs.database.asService<Offer>({
    name: 'offer_to_mail',
    text: `select offer.email, item.item_name, giver.email as giver_email, profile.full_name as giver_name,
        offer.accepted_at is null and offer.declined_at is null and offer.expires_at > now() as is_open,
        offer.accepted_at is not null as is_accepted
      from public.item_offers as offer
      join public.items as item on item.id = offer.item_id
      join auth.users as giver on giver.id = offer.giver_id and giver.deleted_at is null
      left join public.profiles as profile on profile.id = giver.id
      where offer.id = $1`,
    values: [offerId],
  });
  const [offer] = rows;
  if (offer === undefined) return;
  const { itemOffer, itemGiven } = letterTexts(defaultLanguage);
  if (about === 'offer' ? !offer.is_open : !offer.is_accepted) return;
  const [to, content] =
    about === 'offer'
      ? [
          offer.email,
          itemOffer({ productName, giver: harmlessName(offer.giver_name), link: `${publicUrl}/offer/${offerId}` }),
        ]
      : [
          offer.giver_email,
          itemGiven({ productName, itemName: offer.item_name, email: offer.email, link: `${publicUrl}/given` }),
        ];
  if (to === null) return;
  await sendFromJob(needs, { to, ...composeMail(content, productName, defaultLanguage), key: `${about}:${offerId}` });
}

/**
 * Returns a first name of letters alone, else null. The mail goes to an address that the giver chose, and a name may be
 * anything: a link, or a sentence.
 */
function harmlessName(fullName: string | null): string | null {
  const [first = ''] = (fullName ?? '').trim().split(' ');
  return /^[\p{L}\p{M}’'-]{1,30}$/u.test(first) ? first : null;
}
