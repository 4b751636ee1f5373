/** Which rows a permitted verb reaches: none, those of the caller's own, or every one. */
type Reach = 'nothing' | 'own' | 'all';

export interface Grant {
  readonly reach: Reach;
  readonly columns: 'every' | readonly string[];
}

export type Verb = 'select' | 'insert' | 'update' | 'delete';

export const VERBS: readonly Verb[] = ['select', 'insert', 'update', 'delete'];

/** A missing verb is denied: PostgreSQL responds "permission denied" before it checks any row. */
export type Grants = Readonly<Partial<Record<Verb, Grant>>>;

/** What the row that a test tries to insert is made from. */
export interface InsertContext {
  /** In whose name. */
  readonly account: string;
  readonly item: string;
  readonly conversation: string;
  readonly session: string;
  readonly contact: string;
  readonly server: string;
  readonly factor: string;
  readonly freshCode: string;
}

export interface RelationPolicy {
  /** The condition on a row that makes it the account's, whose id is `$1`. A table without one has no owners. */
  readonly ownedBy?: string;
  readonly anon?: Grants;
  readonly authenticated?: Grants;
  readonly service_role?: Grants;
  /** A row that nothing but the policies could refuse. */
  readonly newRow: (context: InsertContext) => Readonly<Record<string, unknown>>;
  /** A column and the value that a test tries to give to every row it can. */
  readonly change: readonly [column: string, value: unknown];
  /** Statements that run first, so that no constraint prevents the verb. */
  readonly roomToInsert?: string;
  readonly roomToDelete?: string;
}

/** The verb is permitted, and reaches no row. */
export function nothing(): Grant {
  return { reach: 'nothing', columns: 'every' };
}

/** The caller's own rows, and of them these columns, or every column. */
export function own(...columns: string[]): Grant {
  return { reach: 'own', columns: columns.length === 0 ? 'every' : columns };
}

export function all(): Grant {
  return { reach: 'all', columns: 'every' };
}

export function everything(): Grants {
  return { select: all(), insert: all(), update: all(), delete: all() };
}
