import { expect } from 'vitest';
import { changes, type FunctionPolicy, refused, returns, SERVICE, SIGNED_IN } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

/** Nothing has this id. */
const MISSING = '4dd4ac13-4be2-4a8d-9a3c-6f5e1f3b7a02';

/** Reports to the operator: stored by the service for finders, sent by owners, and read with the secret key. */
export const REPORT_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'internal.report_page(text, text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a report of a page, trimmed',
        given: ({ owner }) => [owner.item.qrId, 'wrong_item', ' Not keys \n'],
        outcome: changes(
          "select concat_ws('/', kind, body) from internal.reports where qr_id = $1 and kind = 'wrong_item'",
          ({ owner }) => [owner.item.qrId],
          () => 'wrong_item/Not keys',
          () => '',
        ),
      },
      {
        as: 'service',
        shows: 'the same report only once while it is open, and counted',
        given: ({ report }) => [report.qrId, 'abuse', null],
        outcome: changes(
          "select array_agg(repeats) from internal.reports where qr_id = $1 and kind = 'abuse'",
          ({ report }) => [report.qrId],
          () => [1],
          () => '',
        ),
      },
      {
        as: 'service',
        shows: 'no report of another kind',
        given: ({ owner }) => [owner.item.qrId, 'rude', null],
        outcome: refused('23514'),
      },
      {
        as: 'service',
        shows: 'no text of more than 500 code points',
        given: ({ owner }) => [owner.item.qrId, 'abuse', '😀'.repeat(501)],
        outcome: refused('23514'),
      },
    ],
  },
  'public.report_finder(uuid, text, text)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'a report of the finder of a conversation of theirs, trimmed',
        given: ({ owner }) => [owner.conversationId, 'fraud', ' Send a code \n'],
        outcome: changes(
          `select concat_ws('/', kind, body, qr_id, reported_by, owner_then) from internal.reports
             where conversation_id = $1`,
          ({ owner }) => [owner.conversationId],
          ({ owner }) => `fraud/Send a code/${owner.item.qrId}/${owner.account.id}/${owner.account.id}`,
          () => '',
        ),
      },
      {
        as: 'stranger',
        shows: 'no conversation of another account',
        given: ({ owner }) => [owner.conversationId, 'fraud', null],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'no conversation that is not there',
        given: () => [MISSING, 'fraud', null],
        outcome: refused('PT404'),
      },
      {
        as: 'service',
        shows: 'it has no account',
        given: ({ owner }) => [owner.conversationId, 'fraud', null],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'nothing that only a page is reported for',
        given: ({ owner }) => [owner.conversationId, 'planted', null],
        outcome: refused('22023'),
      },
      {
        as: 'owner',
        shows: 'no report without a kind',
        given: ({ owner }) => [owner.conversationId, null, null],
        outcome: refused('22023'),
      },
      {
        as: 'owner',
        shows: 'no text of more than 500 code points',
        given: ({ owner }) => [owner.conversationId, 'other', '😀'.repeat(501)],
        outcome: refused('22023'),
      },
    ],
  },
  'public.list_reports(boolean, integer, integer)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the open reports, with the account that the tag code belongs to',
        given: () => [false, 1, 50],
        outcome: returns((seed) => ({ total: 1, reports: [theReport(seed)] })),
      },
      {
        as: 'service',
        shows: 'the number of all, beyond the last page',
        given: () => [false, 2, 1],
        outcome: returns(() => ({ total: 1, reports: [] })),
      },
    ],
  },
  'public.show_report(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'one report',
        given: ({ report }) => [report.id],
        outcome: returns((seed) => theReport(seed)),
      },
      { as: 'service', shows: 'nothing for another id', given: () => [MISSING], outcome: returns(() => null) },
    ],
  },
  'public.close_report(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'an open report',
        given: ({ report }) => [report.id],
        outcome: changes(
          'select closed_at is not null from internal.reports where id = $1',
          ({ report }) => [report.id],
          () => true,
          () => true,
        ),
      },
      { as: 'service', shows: 'nothing for another id', given: () => [MISSING], outcome: returns(() => false) },
    ],
  },
  'public.take_page_down(uuid, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the code of the page is void',
        given: ({ report }) => [report.id, 'Abuse'],
        outcome: changes(
          'select void_reason from public.qr_codes where qr_id = $1',
          ({ report }) => [report.qrId],
          () => 'Abuse',
          () => 'taken_down',
        ),
      },
      {
        as: 'service',
        shows: 'nothing for another id',
        given: () => [MISSING, 'Abuse'],
        outcome: returns(() => 'unknown'),
      },
    ],
  },
  'public.put_page_back(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'nothing where no page is down',
        given: ({ report }) => [report.id],
        outcome: returns(() => false),
      },
      { as: 'service', shows: 'nothing for another id', given: () => [MISSING], outcome: returns(() => false) },
    ],
  },
};

/** Everything that a report contains. */
function theReport({ report, owner }: Seed): object {
  return {
    id: report.id,
    kind: 'abuse',
    qr_id: report.qrId,
    body: null,
    created_at: expect.any(String),
    closed_at: null,
    taken_down_at: null,
    repeats: 0,
    owner_then: owner.account.id,
    reported_by: null,
    conversation_id: null,
    owner_id: owner.account.id,
  };
}
