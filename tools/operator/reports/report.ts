import * as v from 'valibot';
import { REPORT_KINDS } from '#domain/contact/report.ts';

/** A report as the service lists it. */
export const report = v.object({
  id: v.string(),
  kind: v.picklist(REPORT_KINDS),
  qr_id: v.string(),
  body: v.nullable(v.string()),
  created_at: v.string(),
  closed_at: v.nullable(v.string()),
  /** The account that the tag code belongs to now. */
  owner_id: v.nullable(v.string()),
});

export type Report = v.InferOutput<typeof report>;
