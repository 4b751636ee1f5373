import type { ApiRole } from '#server/postgres/caller.ts';

/**
 * SQL text that came out of the catalogue, quoted. Only `quote-identifier.ts` and `read-schema.ts` make it, so nothing
 * that stands in a request can ever be a value of this type.
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
  /** Who has any right to it. Only for what an error may name: PostgreSQL decides every call anew. */
  readonly knownTo: ReadonlySet<ApiRole>;
}

/** What has columns under a name: a table, a view, or the rows that a function returns. */
export interface Columns {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
  /** What can be embedded in its rows. */
  readonly relationships: readonly Relationship[];
  /** Functions of one row that are read as if they were columns, by their names: schema and name of each, quoted. */
  readonly computed: ReadonlyMap<string, CatalogueSql>;
}

/** A table or a view. */
export interface Relation extends Columns {
  /** Schema and name. */
  readonly sql: CatalogueSql;
  /** Its name alone. */
  readonly label: CatalogueSql;
  /** Names of the columns of the primary key, in its order; none for a view. */
  readonly primaryKey: readonly string[];
  /** Its constraints and unique indexes by name, each with those who know every column that it looks at. */
  readonly constraints: ReadonlyMap<string, ReadonlySet<ApiRole>>;
}

type Cardinality = 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';

/** Two columns that are equal where rows belong together. */
export interface JoinedColumns {
  readonly from: Column;
  readonly to: Column;
}

/** How rows of one table belong to rows of another, by a foreign key or by a function. */
export interface Relationship {
  readonly cardinality: Cardinality;
  /** Of the foreign key, of the junction's two, or of the function. */
  readonly name: string;
  /** The table or view that is embedded; as a function, since relations refer to each other. */
  readonly target: () => Relation;
  readonly via:
    | { readonly kind: 'columns'; readonly columns: readonly JoinedColumns[] }
    | {
        readonly kind: 'junction';
        readonly junction: { readonly name: string; readonly sql: CatalogueSql };
        /** From the embedding table to the junction. */
        readonly near: readonly JoinedColumns[];
        /** From the junction to the embedded table. */
        readonly far: readonly JoinedColumns[];
      }
    | { readonly kind: 'function'; readonly sql: CatalogueSql };
}

export interface FunctionArgument {
  readonly name: string;
  readonly sql: CatalogueSql;
  readonly type: CatalogueSql;
  /** A text of some kind. */
  readonly isText: boolean;
  /** Without a default. */
  readonly required: boolean;
  /** A list, whose elements the function takes as arguments of their own. */
  readonly variadic: boolean;
}

/** What a function gives back, and how that becomes JSON. */
export type FunctionResult =
  | { readonly kind: 'void' }
  /** Values of a type without columns, as rows of one column; `json` where they are JSON already. */
  | { readonly kind: 'scalar'; readonly set: boolean; readonly json: boolean; readonly rows: Columns }
  /** Rows with columns: a table's type, or OUT arguments. */
  | { readonly kind: 'composite'; readonly set: boolean; readonly rows: Columns };

export interface StoredFunction {
  readonly name: string;
  /** Schema and name. */
  readonly sql: CatalogueSql;
  readonly arguments: readonly FunctionArgument[];
  /** Its one argument has no name and is JSON: the whole body of a request. */
  readonly takesBody: boolean;
  /** Who may call it. Only for what an error may name. */
  readonly knownTo: ReadonlySet<ApiRole>;
  /** Declared stable or immutable: it cannot write. */
  readonly readsOnly: boolean;
  readonly result: FunctionResult;
}

/** An exposed schema as the catalogue has it. Rights are not in it: PostgreSQL decides them, call by call. */
export interface Schema {
  readonly name: string;
  readonly relations: ReadonlyMap<string, Relation>;
  /** Several where a name is overloaded. */
  readonly functions: ReadonlyMap<string, readonly StoredFunction[]>;
}
