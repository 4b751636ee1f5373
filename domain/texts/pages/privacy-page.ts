import type { PrivacyWords } from '#domain/words/compiled/types.ts';
import {
  CLOSED_REPORT_DAYS,
  CONTACT_INVITATION_DAYS,
  DEVICE_DAYS,
  ENDED_OFFER_DAYS,
  ENDED_PUSH_DAYS,
  FINDER_KEY_DAYS,
  FINDER_PROOF_HOURS,
  LANGUAGE_DAYS,
  LEFT_CONTACT_DAYS,
  OFFER_DAYS,
  PROVIDER_VISIT_SECONDS,
  REPORT_DAYS,
} from '../../retention.ts';
import { durationIn } from '../duration.ts';
import type { Prose } from './prose.ts';
import type { ServiceFacts } from './service-facts.ts';

const DAY = 86_400;
const HOUR = 3_600;

/**
 * What this service stores, for how long, and who sees it, in the language of the words. Must be kept consistent with
 * database/migrations.
 */
export function privacyPage(words: PrivacyWords, tag: string, facts: ServiceFacts): Prose {
  const { finder, owner, seen, contact, howLong, others, browser } = words;
  const days = (count: number) => durationIn(tag, count * DAY);
  const hours = (count: number) => durationIn(tag, count * HOUR);
  const code = durationIn(tag, facts.codeLifeSeconds);
  const report = { closed: days(CLOSED_REPORT_DAYS), longest: days(REPORT_DAYS) };
  const { keepRemovedHours } = facts;
  const files = keepRemovedHours === 0 ? howLong.filesSoon : howLong.filesLater(hours(keepRemovedHours));
  return {
    title: words.title,
    lead: words.lead(facts.productName),
    sections: [
      {
        title: finder.title,
        paragraphs: [finder.noAccount, finder.weStore],
        points: [
          finder.points.messages,
          finder.points.email({ unproved: hours(FINDER_PROOF_HOURS), kept: days(FINDER_KEY_DAYS) }),
          finder.points.photo,
          finder.points.location,
          finder.points.way,
          finder.points.ipAddress,
          finder.points.keys,
          finder.points.receipts,
          finder.points.report(report),
          finder.points.reported(report),
          finder.points.blocked(days(FINDER_KEY_DAYS)),
        ],
      },
      {
        title: owner.title,
        paragraphs: [owner.holds],
        points: [
          owner.points.name,
          owner.points.password,
          owner.points.items,
          owner.points.photos,
          owner.points.messages,
          owner.points.sessions,
          owner.points.push(days(ENDED_PUSH_DAYS)),
          owner.points.addresses(days(ENDED_PUSH_DAYS)),
          owner.points.notices,
          owner.points.labels,
          owner.points.offers({ open: days(OFFER_DAYS), kept: days(ENDED_OFFER_DAYS) }),
          owner.points.contacts(days(CONTACT_INVITATION_DAYS)),
          owner.points.reports(report),
          owner.points.factors,
        ],
      },
      { title: seen.title, paragraphs: [seen.item, seen.back, seen.receipts, seen.details] },
      { title: contact.title, paragraphs: [contact.use(days(LEFT_CONTACT_DAYS))] },
      {
        title: howLong.title,
        paragraphs: [
          howLong.deletion(files),
          howLong.log({ log: days(facts.auditLogDays), code, device: days(DEVICE_DAYS) }),
        ],
      },
      { title: others.title, paragraphs: [others.operator] },
      {
        title: browser.title,
        paragraphs: [browser.lead],
        points: [
          browser.points.session,
          browser.points.signedIn,
          browser.points.before,
          browser.points.device(days(DEVICE_DAYS)),
          browser.points.code(code),
          browser.points.language(days(LANGUAGE_DAYS)),
          browser.points.provider(durationIn(tag, PROVIDER_VISIT_SECONDS)),
          browser.points.offline,
          browser.points.conversation(days(FINDER_KEY_DAYS)),
          browser.points.unsent,
          browser.points.scanned,
          browser.points.profile,
          browser.points.stickers,
          browser.points.skipped,
          browser.points.printer,
          browser.points.push,
          browser.points.typeface,
        ],
      },
    ],
  };
}
