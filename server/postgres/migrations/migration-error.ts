import { OperatorError } from '#server/operator-error.ts';

/** Why the database cannot be migrated, in a sentence for the operator. What the database itself said is the `cause`. */
export class MigrationError extends OperatorError {
  override name = 'MigrationError';
}
