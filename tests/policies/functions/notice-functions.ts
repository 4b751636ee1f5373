import { changes, type FunctionPolicy, returns, SERVICE } from '../function-policy.ts';

const MOMENT = '2026-11-23T23:30:00Z';

/** What follows a message that stays unseen. What the jobs do is in `tests/jobs/unseen-notice.test.ts`. */
export const NOTICE_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'internal.enqueue_unseen_notice(text, uuid, timestamp with time zone)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: ({ owner }) => ['sms', owner.conversationId, MOMENT],
        outcome: changes(
          'select run_at from graphile_worker.jobs where key = $1',
          ({ owner }) => [`notify_of_unseen:sms:${owner.conversationId}`],
          () => new Date(MOMENT),
        ),
      },
    ],
  },
  'internal.end_of_quiet_hours(time without time zone, time without time zone, text, timestamp with time zone)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the end of the quiet hours, by the clock of the time zone',
        given: () => ['22:00', '07:00', 'Asia/Jerusalem', MOMENT],
        outcome: returns(() => new Date('2026-11-24T05:00:00Z')),
      },
      {
        as: 'service',
        shows: 'null outside of them',
        given: () => ['22:00', '07:00', 'America/New_York', MOMENT],
        outcome: returns(() => null),
      },
    ],
  },
};
