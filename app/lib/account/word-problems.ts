import type { CredentialProblem, Problems } from '#domain/validate-credentials.ts';

/** The sentence for each refused field. */
export function wordProblems<Field extends string>(
  problems: Problems<Field>,
  texts: Readonly<Record<CredentialProblem, string>>,
): Partial<Record<Field, string>> {
  const worded: Partial<Record<Field, string>> = {};
  for (const field in problems) {
    const problem = problems[field];
    if (problem !== undefined) worded[field] = texts[problem];
  }
  return worded;
}
