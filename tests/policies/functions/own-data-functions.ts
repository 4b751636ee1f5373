import { expect } from 'vitest';
import { type FunctionPolicy, refused, returns, SERVICE, SIGNED_IN } from '../function-policy.ts';

/** What belongs to an account as a whole. tests/contract/own-data.test.ts shows what they do for their owner. */
export const OWN_DATA_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.export_my_data()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'the account that asks, and nothing of those who have more',
        given: () => [],
        outcome: returns(({ stranger }) =>
          expect.objectContaining({
            account: expect.objectContaining({ id: stranger.id }),
            profile: expect.objectContaining({ id: stranger.id }),
            items: [],
            messages: [],
            sessions: [],
          }),
        ),
      },
      {
        as: 'service',
        shows: 'nothing of the service, which is nobody',
        given: () => [],
        outcome: returns(() => null),
      },
    ],
  },
  'public.export_account(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the account that it names',
        given: ({ owner }) => [owner.account.id],
        outcome: returns(({ owner }) =>
          expect.objectContaining({
            account: expect.objectContaining({ id: owner.account.id }),
            profile: expect.objectContaining({ id: owner.account.id }),
            items: expect.arrayContaining([expect.objectContaining({ user_id: owner.account.id })]),
          }),
        ),
      },
      { as: 'service', shows: 'nothing of nobody', given: () => [null], outcome: returns(() => null) },
    ],
  },
  'public.delete_my_account()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'not with a token whose session nobody knows',
        given: () => [],
        outcome: refused('PT403'),
      },
      { as: 'service', shows: 'not by the service, which is nobody', given: () => [], outcome: refused('42501') },
    ],
  },
};
