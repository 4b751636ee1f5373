/** What was sent of a phrase that is not complete. */
export interface TypedPhrase {
  readonly kind: string;
  readonly place: string;
  /** In words for its sender. */
  readonly problem: string;
}
