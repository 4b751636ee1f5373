/** Why the database cannot be migrated, in a sentence for the operator. What the database itself said is the `cause`. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
