/** A rule that the whole catalogue must keep. */
export interface CatalogueLint {
  /** The rule, as a sentence. */
  readonly rule: string;
  /** Gives one row with the column `finding` for each breach; `$1` is the list of our schemas. */
  readonly query: string;
  /** A fault that breaks the rule, planted to prove that the query finds it, and how it then shows. */
  readonly fault: string;
  readonly finding: string;
}

/** SQL for the roles that a caller's statement can run as. */
export const API_ROLES = `(values ('anon'), ('authenticated'), ('service_role')) as api (role)`;
