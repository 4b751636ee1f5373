import { ALL_ROLES, type FunctionPolicy, returns } from '../function-policy.ts';

/** Functions by which policies identify the caller. */
export const CALLER_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'auth.uid()': {
    executableBy: ALL_ROLES,
    cases: [
      { as: 'anon', shows: 'a visitor has no id', given: () => [], outcome: returns(() => null) },
      { as: 'owner', shows: 'an owner has one', given: () => [], outcome: returns(({ owner }) => owner.account.id) },
      { as: 'service', shows: 'the service has none', given: () => [], outcome: returns(() => null) },
    ],
  },
  'auth.role()': {
    executableBy: ALL_ROLES,
    cases: [
      { as: 'anon', shows: 'a visitor', given: () => [], outcome: returns(() => 'anon') },
      { as: 'stranger', shows: 'a signed-in user', given: () => [], outcome: returns(() => 'authenticated') },
      { as: 'service', shows: 'the service', given: () => [], outcome: returns(() => 'service_role') },
    ],
  },
  'auth.jwt()': {
    executableBy: ALL_ROLES,
    cases: [
      { as: 'anon', shows: 'a visitor', given: () => [], outcome: returns(() => ({ role: 'anon' })) },
      {
        as: 'owner',
        shows: 'every claim of the token',
        given: () => [],
        outcome: returns(({ owner }) => owner.account.caller.claims),
      },
      { as: 'service', shows: 'the service', given: () => [], outcome: returns(() => ({ role: 'service_role' })) },
    ],
  },
};
