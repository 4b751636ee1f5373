import { OperatorError } from '#server/operator-error.ts';

/** Why the database cannot be migrated, for the operator. The database's own error is the `cause`. */
export class MigrationError extends OperatorError {
  override name = 'MigrationError';
}
