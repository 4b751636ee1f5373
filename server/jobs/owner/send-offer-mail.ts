import * as v from 'valibot';
import { harmlessName } from '#domain/item/first-name.ts';
import type { Language } from '#domain/language.ts';
import { composeMail, type MailContent } from '#domain/texts/letters/compose-mail.ts';
import { notMeLinks } from '#server/delivery/email/not-me-links.ts';
import { offerLinks } from '#server/delivery/email/offer-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from '#server/jobs/sending/send-from-job.ts';
import { sendUninvited, type UninvitedNeeds } from '#server/jobs/sending/send-uninvited.ts';
import { ownerLetters, visitorLetters } from '#server/languages/letter-language.ts';

const uuid = v.pipe(v.string(), v.uuid());

/** The payload of jobs queued by `internal.enqueue_offer_mail` and `internal.enqueue_acceptance_mail`. */
export const offerMailPayload = v.variant('about', [
  v.object({ about: v.literal('offer'), offer_id: uuid }),
  v.object({
    about: v.literal('acceptance'),
    offer_id: uuid,
    // Missing in what an earlier release queued.
    giver_id: v.optional(uuid),
    email: v.nullish(v.string()),
    item_name: v.optional(v.string()),
  }),
]);

type OfferMail = v.InferOutput<typeof offerMailPayload>;
type Needs = Pick<Dependencies, 'database' | 'config' | 'secrets'>;

/**
 * Mails the address that an item is offered to, or the giver after the acceptance. Sends nothing where the offer is over
 * before it is accepted, or the giver has no proved address. The offer's id is the delivery's key, so a job that is
 * retried after a crash sends no second mail.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function sendOfferMail(needs: UninvitedNeeds, job: OfferMail): Promise<void> {
  const mail = job.about === 'offer' ? await offerMail(needs, job.offer_id) : await acceptanceMail(needs, job);
  if (mail === null) return;
  const key = `${job.about}:${job.offer_id}`;
  if (job.about === 'offer') {
    await sendUninvited(needs, { ...mail, key });
    return;
  }
  const { to, content, language } = mail;
  await sendFromJob(needs, { to, ...composeMail(content, needs.config.productName, language), key });
}

interface Mail {
  readonly to: string;
  readonly content: MailContent;
  readonly language: Pick<Language, 'tag' | 'direction'>;
}

async function offerMail({ database, config, secrets }: Needs, offerId: string): Promise<Mail | null> {
  const { productName } = config;
  const { rows } = await database.asService<{
    email: string | null;
    giver_name: string | null;
    language: string | null;
  }>({
    name: 'offer_to_mail',
    text: `select offer.email, internal.first_name(profile.full_name) as giver_name,
        coalesce((
          select receiver.language from auth.users as account
            join public.profiles as receiver on receiver.id = account.id
            where account.email = offer.email and account.deleted_at is null
        ), profile.language) as language
      from public.item_offers as offer
      left join public.profiles as profile on profile.id = offer.giver_id
      where offer.id = $1 and offer.accepted_at is null and offer.declined_at is null and offer.expires_at > now()
        and internal.may_give(offer.giver_id)`,
    values: [offerId],
  });
  const [offer] = rows;
  if (offer === undefined || offer.email === null) return null;
  const { language, texts } = await visitorLetters(config, offer.language);
  const giver = harmlessName(offer.giver_name);
  const link = offerLinks({ config, secrets }).linkTo({ id: offerId, email: offer.email });
  return { to: offer.email, language, content: texts.itemOffer({ productName, giver, link }) };
}

interface Acceptance {
  readonly giver_id: string;
  readonly to: string | null;
  readonly email: string | null;
  readonly item_name: string | null;
  /** How many conversations with finders were neither returned nor blocked. */
  readonly open: number;
  /** The session that offered it. */
  readonly session_id: string | null;
  readonly at: Date;
  /** The giver's. */
  readonly language: string | null;
}

async function acceptanceMail(
  needs: Needs,
  job: Extract<OfferMail, { readonly about: 'acceptance' }>,
): Promise<Mail | null> {
  const { database, config } = needs;
  const { productName, publicUrl } = config;
  const { rows } = await database.asService<Acceptance>({
    name: 'acceptance_to_mail',
    text: `select giver.id as giver_id, (select language from public.profiles where id = giver.id) as language, offered.session_id, now() as at, giver.email as to,
        coalesce($3, offer.email) as email, coalesce($4, item.item_name) as item_name,
        (
          select count(*)::integer from public.conversations as conversation
            where conversation.item_id = item.id and conversation.returned_at is null and conversation.blocked_at is null
        ) as open
      from (select 1) as one
      left join public.item_offers as offer on offer.id = $1 and offer.accepted_at is not null
      left join public.items as item on item.id = offer.item_id
      join auth.users as giver on giver.id = coalesce($2, offer.giver_id) and giver.deleted_at is null
      left join lateral (
        select session_id from auth.audit_log where user_id = giver.id and event = 'item_offered' order by at desc limit 1
      ) as offered on true`,
    values: [job.offer_id, job.giver_id ?? null, job.email ?? null, job.item_name ?? null],
  });
  const [found] = rows;
  if (found === undefined || found.to === null) return null;
  const { giver_id: userId, session_id: sessionId, to, at } = found;
  const { language, texts } = await ownerLetters(config, found.language);
  const itemName = found.item_name ?? '';
  return {
    to,
    language,
    content: texts.itemGiven({
      productName,
      itemName,
      email: found.email,
      open: found.open,
      link: `${publicUrl}/given`,
      notMeUrl: notMeLinks(needs).linkFor({ userId, sessionId, changedAt: at.getTime() }),
    }),
  };
}
