import type { ServiceFacts } from '#domain/texts/pages/service-facts.ts';
import type { Config } from '#server/config.ts';
import { figuresOf, type LimitName } from '#server/limits/limits.ts';

/** The limits between two codes. The screen need not know which of them a request counts against. */
const GAPS = [
  'code_gap_per_account_and_address',
  'mail_gap_per_account',
  'sms_gap_per_account',
] as const satisfies readonly LimitName[];

/** What pages and forms state about this installation. */
export function serviceFacts(config: Config): ServiceFacts {
  const gaps = GAPS.map((name) => config.limits.get(name) ?? figuresOf(name, !config.production));
  return {
    productName: config.productName,
    hasMail: config.hasMail,
    codeLifeSeconds: config.codeLifeSeconds,
    codeGapSeconds: Math.max(...gaps.map(({ seconds }) => seconds)),
    linkLifeSeconds: config.linkLifeSeconds,
    auditLogDays: config.auditLogDays,
    keepRemovedHours: config.storage.keepRemovedHours,
  };
}
