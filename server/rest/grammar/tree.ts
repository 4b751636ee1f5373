/** The parsed query string, as a tree. Names in it come from the caller and may not exist. */

export interface JsonStep {
  /** `->>` returns text. */
  readonly arrow: '->' | '->>';
  readonly key: string | number;
}

/** A column, and the path into it where it holds JSON. */
export interface FieldPath {
  readonly column: string;
  readonly steps: readonly JsonStep[];
}

export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const;

export interface Aggregate {
  readonly name: (typeof AGGREGATES)[number];
  /** The cast of the aggregate's result; the field's own cast applies before. */
  readonly cast: string | null;
}

export type SelectItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'field';
      readonly path: FieldPath;
      readonly alias: string | null;
      readonly cast: string | null;
      readonly aggregate: Aggregate | null;
    }
  | {
      readonly kind: 'relation';
      readonly relation: string;
      readonly alias: string | null;
      /** `!inner`, `!left` and the name of a foreign key, in any order. */
      readonly hints: readonly string[];
      readonly spread: boolean;
      readonly select: readonly SelectItem[];
    };

export const QUANTIFIABLE = ['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'] as const;
export const PLAIN = ['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj', 'isdistinct'] as const;
export const TEXT_SEARCH = ['fts', 'plfts', 'phfts', 'wfts'] as const;
export const TRUTHS = ['null', 'not_null', 'true', 'false', 'unknown'] as const;

export type BinaryOperator = (typeof QUANTIFIABLE)[number] | (typeof PLAIN)[number];
export type TextSearchOperator = (typeof TEXT_SEARCH)[number];
export type Truth = (typeof TRUTHS)[number];

export type Test =
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly value: string }
  /** The value is an array literal: `{a,b}`. */
  | {
      readonly kind: 'quantified';
      readonly operator: (typeof QUANTIFIABLE)[number];
      readonly quantifier: 'any' | 'all';
      readonly value: string;
    }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly truth: Truth }
  | {
      readonly kind: 'text-search';
      readonly operator: TextSearchOperator;
      readonly config: string | null;
      readonly value: string;
    };

export type Condition =
  | { readonly kind: 'test'; readonly negated: boolean; readonly path: FieldPath; readonly test: Test }
  | { readonly kind: 'and' | 'or'; readonly negated: boolean; readonly parts: readonly Condition[] };

export interface OrderTerm {
  /** The embedded relation that has the field; null for the relation itself. */
  readonly relation: string | null;
  readonly path: FieldPath;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

/** Which rows, in which order. */
export interface Shape {
  /** All must hold. */
  readonly conditions: readonly Condition[];
  readonly order: readonly OrderTerm[];
  readonly limit: number | null;
  readonly offset: number;
}

export interface Query extends Shape {
  readonly select: readonly SelectItem[];
  /** `columns=`: the keys of the body that are used. */
  readonly columns: readonly string[] | null;
  readonly onConflict: readonly string[] | null;
  /** Parameters of embedded relations, such as `conversations.messages.order=…`, by path. */
  readonly embedded: readonly EmbeddedShape[];
}

export interface EmbeddedShape extends Shape {
  readonly path: readonly string[];
}
