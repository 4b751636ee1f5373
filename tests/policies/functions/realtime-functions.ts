import { type FunctionPolicy, NOBODY, returns, SERVICE } from '../function-policy.ts';

/** Which tables tell their changes. Publishing one is a migration's business. */
export const REALTIME_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'realtime.describe_table(text, text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'nothing of a table that is not published',
        given: () => ['auth', 'users', 'anon'],
        outcome: returns(() => null),
      },
    ],
  },
  'realtime.capture_table(regclass)': { executableBy: NOBODY },
  'realtime.publish_table(regclass)': { executableBy: NOBODY },
};
