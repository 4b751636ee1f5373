/** The rows of the queries in catalogue-queries.ts. Table ids are oids as text. */

export interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  /** pg_type.typcategory: S for string types. Empty for columns that are not written to. */
  readonly category: string;
  readonly default: string | null;
  readonly number: number;
  readonly known_to: readonly string[];
}

export interface RelationRow {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly CatalogueColumn[];
  readonly primary_key: readonly string[];
}

export interface ForeignKeyRow {
  readonly name: string;
  readonly source: string;
  readonly referenced: string;
  readonly source_columns: readonly number[];
  readonly referenced_columns: readonly number[];
  /** At most one row of the source refers to one row. */
  readonly is_unique: boolean;
}

export interface ViewColumnRow {
  readonly view: string;
  readonly column: number;
  readonly source: string;
  readonly source_column: number;
}

export interface ConstraintRow {
  readonly relation: string;
  readonly name: string;
  readonly columns: readonly number[];
}

export interface FunctionRow {
  readonly name: string;
  readonly known_to: readonly string[];
  readonly reads_only: boolean;
  readonly returns_set: boolean;
  readonly returns_one_row: boolean;
  readonly result_type: string;
  readonly result_is_composite: boolean;
  readonly result_relation: string | null;
  readonly result_columns: readonly CatalogueColumn[];
  readonly default_count: number;
  readonly arguments: readonly {
    readonly name: string;
    readonly type: string;
    readonly category: string;
    /** A row, or a list of rows or of JSON, also by a domain. */
    readonly from_json: boolean;
    /** The table or view whose row type it has. */
    readonly relation: string | null;
    readonly mode: string;
  }[];
}
