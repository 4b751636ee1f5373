import * as v from 'valibot';
import { FINDER_PROOF_HOURS } from '#domain/retention.ts';
import { finderMail } from '#domain/texts/letters/finder-mail.ts';
import { finderLinks } from '#server/conversations/finder-links.ts';
import { sendUninvited, type UninvitedNeeds } from '#server/jobs/sending/send-uninvited.ts';
import { loadLanguage } from '#server/languages/load-language.ts';

/** The payload of jobs queued by `internal.enqueue_finder_proof`. */
export const finderProofPayload = v.object({
  address_id: v.pipe(v.string(), v.uuid()),
  /** Another one for each time the finder asked. */
  request_id: v.pipe(v.string(), v.uuid()),
});

/**
 * Mails an address that a finder left the question whether it is theirs. Sends nothing where it was proved, removed, or
 * replaced meanwhile, or has got too many such emails: anyone can enter any address.
 *
 * @throws an error without the address: it is stored with the job and logged.
 */
export async function proveFinderAddress(
  needs: UninvitedNeeds,
  { address_id: addressId, request_id: requestId }: v.InferOutput<typeof finderProofPayload>,
): Promise<void> {
  const { rows } = await needs.database.asService<{ address: string; language: string }>({
    name: 'finder_address_to_prove',
    text: `select address, language from internal.finder_addresses
             where id = $1 and proved_at is null and expires_at >= now()`,
    values: [addressId],
  });
  const [left] = rows;
  const key = `finder-proof:${requestId}`;
  if (left === undefined) return;
  const { productName } = needs.config;
  const { linkFor } = finderLinks(needs);
  const stopUrl = linkFor('stop', addressId);
  const language = await loadLanguage(left.language);
  const content = finderMail(language.words.letters).proof({
    productName,
    confirmUrl: linkFor('confirm', addressId),
    stopUrl,
    linkHours: FINDER_PROOF_HOURS,
  });
  await sendUninvited(needs, { to: left.address, content, language, key, stopUrl });
}
