/**
 * SQL text that came out of the catalogue, quoted. Only `read-schema.ts` makes it, so nothing that stands in a
 * request can ever be a value of this type.
 */
export type CatalogueSql = string & { readonly catalogueSql: unique symbol };

/** One column, or one field that a function returns. */
export interface Column {
  readonly name: string;
  readonly sql: CatalogueSql;
  /** The type as PostgreSQL writes it, modifiers included. */
  readonly type: CatalogueSql;
  /** A text of some kind, which PostgreSQL would make of any JSON. */
  readonly isText: boolean;
  /** The expression that fills the column where an insert says nothing. */
  readonly defaultValue: CatalogueSql | null;
}

/** What has columns under a name: a table, a view, or the rows that a function returns. */
export interface Columns {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
}

/** A table or a view. */
export interface Relation extends Columns {
  /** Schema and name. */
  readonly sql: CatalogueSql;
  /** Names of the columns of the primary key, in its order; none for a view. */
  readonly primaryKey: readonly string[];
}

export interface FunctionArgument {
  readonly name: string;
  readonly sql: CatalogueSql;
  readonly type: CatalogueSql;
  /** A text of some kind. */
  readonly isText: boolean;
  /** Without a default. */
  readonly required: boolean;
}

/** What a function gives back, and how that becomes JSON. */
export type FunctionResult =
  | { readonly kind: 'void' }
  /** One value of a type without columns; `json` where it is JSON already. */
  | { readonly kind: 'scalar'; readonly set: boolean; readonly json: boolean }
  /** Rows with columns: a table's type, or OUT arguments. */
  | { readonly kind: 'composite'; readonly set: boolean; readonly columns: ReadonlyMap<string, Column> };

export interface StoredFunction {
  readonly name: string;
  /** Schema and name. */
  readonly sql: CatalogueSql;
  readonly arguments: readonly FunctionArgument[];
  /** Declared stable or immutable: it cannot write. */
  readonly readsOnly: boolean;
  readonly result: FunctionResult;
}

/** The exposed schema as the catalogue has it. Rights are not in it: PostgreSQL decides them, call by call. */
export interface Schema {
  readonly name: string;
  readonly relations: ReadonlyMap<string, Relation>;
  /** Several where a name is overloaded. */
  readonly functions: ReadonlyMap<string, readonly StoredFunction[]>;
}
