/** The PostgreSQL that was reached cannot be written to, or none of several can. The call changed nothing. */
export class NotPrimary extends Error {
  override name = 'NotPrimary';
}
