import * as v from 'valibot';
import { FINDER_REPORT_KINDS, REPORT_KINDS } from '#domain/contact/report.ts';

/** A report as the service lists it. */
export const report = v.object({
  id: v.string(),
  kind: v.picklist([...REPORT_KINDS, ...FINDER_REPORT_KINDS]),
  qr_id: v.string(),
  body: v.nullable(v.string()),
  created_at: v.string(),
  closed_at: v.nullable(v.string()),
  /** When the operator took the page down; null where it is not, and in a report of a finder. */
  taken_down_at: v.nullable(v.string()),
  /** How many further reports are counted in this one. */
  repeats: v.number(),
  /** The account that the tag code belonged to when it was reported; null once that is deleted. */
  owner_then: v.nullable(v.string()),
  /** The owner who reports a finder; null in a report of a page. */
  reported_by: v.nullable(v.string()),
  /** The conversation with that finder; null in a report of a page, and once the conversation is deleted. */
  conversation_id: v.nullable(v.string()),
  /** The account that the tag code belongs to now. */
  owner_id: v.nullable(v.string()),
});

/** A page of the service's list. */
export const reportPage = v.object({ reports: v.array(report), total: v.number() });

export type Report = v.InferOutput<typeof report>;
