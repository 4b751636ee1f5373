import { ALL_ROLES, type FunctionCase, type FunctionPolicy, returns } from '../function-policy.ts';

/** Functions of policies about an object's name; equal for all callers. */
function ofName(name: string, value: unknown, shows: string): FunctionCase[] {
  return (['anon', 'owner', 'service'] as const).map((as) => ({
    as,
    shows: `${as}: ${shows}`,
    given: () => [name],
    outcome: returns(() => value),
  }));
}

export const STORAGE_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'storage.foldername(text)': {
    executableBy: ALL_ROLES,
    cases: [...ofName('a/b/c.png', ['a', 'b'], 'the folders'), ...ofName('c.png', [], 'no folder')],
  },
  'storage.filename(text)': { executableBy: ALL_ROLES, cases: ofName('a/b/c.tar.gz', 'c.tar.gz', 'the last part') },
  'storage.extension(text)': {
    executableBy: ALL_ROLES,
    cases: [
      ...ofName('a.b/c.tar.gz', 'gz', 'what follows the last dot'),
      ...ofName('a.b/c', '', 'nothing without one'),
    ],
  },
};
