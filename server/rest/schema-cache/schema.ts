import type { ApiRole } from '#server/postgres/caller.ts';

/**
 * Quoted SQL text from the catalogue. Only `read-schema.ts` creates it, so text from a request
 * can never have this type.
 */
export type CatalogueSql = string & { readonly catalogueSql: unique symbol };

/** A column, or a field that a function returns. */
export interface Column {
  readonly name: string;
  readonly sql: CatalogueSql;
  /** The type as PostgreSQL prints it, with modifiers. */
  readonly type: CatalogueSql;
  /** A string type, to which PostgreSQL would convert any JSON. */
  readonly isText: boolean;
  /** The expression of the column's default. */
  readonly defaultValue: CatalogueSql | null;
  /**
   * The roles with any permission on it. Only used to decide what errors may name: PostgreSQL checks permissions at
   * each request.
   */
  readonly knownTo: ReadonlySet<ApiRole>;
}

/** Anything with named columns: a table, a view, or the rows of a function. */
export interface Columns {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
  /** What can be embedded. */
  readonly relationships: readonly Relationship[];
  /** Functions of one row that are read like columns, by name. The value is the quoted, qualified name. */
  readonly computed: ReadonlyMap<string, CatalogueSql>;
  /** The type of its rows that those functions take; null for rows of no table or view. */
  readonly rowType: CatalogueSql | null;
  /** Its rows come from a change or a call, where a whole row is in a field of its own (`read-node.ts`). */
  readonly copied?: true;
}

/** A table or a view. */
export interface Relation extends Columns {
  /** The quoted, qualified name. */
  readonly sql: CatalogueSql;
  /** The quoted name without the schema. */
  readonly label: CatalogueSql;
  /** The columns of the primary key, in order; empty for a view. */
  readonly primaryKey: readonly string[];
  /** Constraints and unique indexes by name, each with the roles that know all its columns. */
  readonly constraints: ReadonlyMap<string, ReadonlySet<ApiRole>>;
}

type Cardinality = 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';

/** A pair of columns that are equal where rows are related. */
export interface JoinedColumns {
  readonly from: Column;
  readonly to: Column;
}

/** How rows of one relation relate to rows of another: by a foreign key or by a function. */
export interface Relationship {
  readonly cardinality: Cardinality;
  /** The name of the foreign key, of the junction's two keys, or of the function. */
  readonly name: string;
  /** The embedded relation. A function, because relations refer to each other. */
  readonly target: () => Relation;
  /** The target shows the key by a view. Then neither the key nor its column names the relationship. */
  readonly toView: boolean;
  readonly via:
    | { readonly kind: 'columns'; readonly columns: readonly JoinedColumns[] }
    | {
        readonly kind: 'junction';
        readonly junction: { readonly name: string; readonly sql: CatalogueSql };
        /** Join from the embedding relation to the junction. */
        readonly near: readonly JoinedColumns[];
        /** Join from the junction to the embedded relation. */
        readonly far: readonly JoinedColumns[];
      }
    | { readonly kind: 'function'; readonly sql: CatalogueSql };
}

export interface FunctionArgument {
  readonly name: string;
  readonly sql: CatalogueSql;
  readonly type: CatalogueSql;
  /** A string type. */
  readonly isText: boolean;
  /** Without a default. */
  readonly required: boolean;
  /** A list whose elements are passed as separate arguments. */
  readonly variadic: boolean;
  /** A row, or a list of rows or of JSON: PostgreSQL reads such values from JSON, field by field. */
  readonly fromJson: boolean;
}

/** What a body is, by its media type: `application/json`, `text/plain`, `text/xml`, `application/octet-stream`. */
export type BodyKind = 'json' | 'text' | 'xml' | 'bytea';

/** What a function returns, and how that becomes JSON. */
export type FunctionResult =
  | { readonly kind: 'void' }
  /** Values without columns, as rows of one column; `json` where they are JSON already. */
  | { readonly kind: 'scalar'; readonly set: boolean; readonly json: boolean; readonly rows: Columns }
  /** Rows with columns: of a table's type or from OUT arguments. */
  | { readonly kind: 'composite'; readonly set: boolean; readonly rows: Columns };

export interface StoredFunction {
  readonly name: string;
  /** The quoted, qualified name. */
  readonly sql: CatalogueSql;
  readonly arguments: readonly FunctionArgument[];
  /** The kind of body that its one unnamed argument takes as a whole; null where it has none. */
  readonly takesBody: BodyKind | null;
  /** The roles that may call it. Only used to decide what errors may name. */
  readonly knownTo: ReadonlySet<ApiRole>;
  /** Declared stable or immutable, so it cannot write. */
  readonly readsOnly: boolean;
  readonly result: FunctionResult;
}

/** An exposed schema from the catalogue. It contains no permissions: PostgreSQL checks them at each request. */
export interface Schema {
  readonly name: string;
  readonly relations: ReadonlyMap<string, Relation>;
  /** Several functions where a name is overloaded. */
  readonly functions: ReadonlyMap<string, readonly StoredFunction[]>;
}
