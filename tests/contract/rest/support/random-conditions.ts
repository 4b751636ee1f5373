import fc, { type Arbitrary } from 'fast-check';

/** A row as the model has it. */
export type ModelRow = Readonly<Record<string, unknown>>;

/** SQL's three truths. */
type Truth = boolean | null;

export type RandomCondition =
  | {
      readonly kind: 'eq' | 'neq' | 'gt' | 'lte' | 'isdistinct';
      readonly column: string;
      readonly value: string | number;
      readonly not: boolean;
    }
  | {
      readonly kind: 'in';
      readonly column: string;
      readonly values: readonly (string | number)[];
      readonly not: boolean;
    }
  | { readonly kind: 'null'; readonly column: string; readonly not: boolean }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly RandomCondition[]; readonly not: boolean };

/** Conditions on columns with the values to compare. Texts are only compared for equality. */
export function randomCondition(
  columns: Readonly<Record<string, readonly (string | number)[]>>,
): Arbitrary<RandomCondition> {
  const leaf = fc.constantFrom(...Object.entries(columns)).chain(([column, values]) => {
    const value = fc.constantFrom(...values);
    const numeric = values.every((one) => typeof one === 'number');
    const operator = numeric
      ? fc.constantFrom('eq', 'neq', 'gt', 'lte', 'isdistinct')
      : fc.constantFrom('eq', 'neq', 'isdistinct');
    const not = fc.boolean();
    return fc.oneof(
      fc.record({ kind: operator, column: fc.constant(column), value, not }),
      fc.record({
        kind: fc.constant('in'),
        column: fc.constant(column),
        values: fc.array(value, { maxLength: 3 }),
        not,
      }),
      fc.record({ kind: fc.constant('null'), column: fc.constant(column), not }),
    );
  });
  const { condition } = fc.letrec<{ condition: RandomCondition }>((tie) => ({
    condition: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf as Arbitrary<RandomCondition>,
      fc.record({
        kind: fc.constantFrom('and', 'or'),
        parts: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
        not: fc.boolean(),
      }),
    ),
  }));
  return condition;
}

/** Returns the condition as written in a logic tree. */
export function conditionText(condition: RandomCondition): string {
  const not = condition.not ? 'not.' : '';
  const quote = (value: string | number) => `"${String(value).replace(/["\\]/g, '\\$&')}"`;
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `${not}${condition.kind}(${condition.parts.map(conditionText).join(',')})`;
    case 'in':
      return `${condition.column}.${not}in.(${condition.values.map(quote).join(',')})`;
    case 'null':
      return `${condition.column}.${not}is.null`;
    default:
      return `${condition.column}.${not}${condition.kind}.${quote(condition.value)}`;
  }
}

/** Whether a row meets the condition, as in SQL: unknown counts as not met. */
export function meets(row: ModelRow, condition: RandomCondition): boolean {
  return truthOf(row, condition) === true;
}

function truthOf(row: ModelRow, condition: RandomCondition): Truth {
  const truth = plainTruthOf(row, condition);
  return condition.not && truth !== null ? !truth : truth;
}

function plainTruthOf(row: ModelRow, condition: RandomCondition): Truth {
  if ('parts' in condition) {
    const deciding = condition.kind === 'or';
    const truths = condition.parts.map((part) => truthOf(row, part));
    if (truths.includes(deciding)) return deciding;
    return truths.includes(null) ? null : !deciding;
  }
  const value = row[condition.column] ?? null;
  switch (condition.kind) {
    case 'null':
      return value === null;
    case 'isdistinct':
      return value !== condition.value;
    case 'in':
      // An empty list contains nothing, not even null.
      if (condition.values.length === 0) return false;
      return value === null ? null : condition.values.some((one) => one === value);
  }
  if (value === null) return null;
  switch (condition.kind) {
    case 'eq':
      return value === condition.value;
    case 'neq':
      return value !== condition.value;
    case 'gt':
      return Number(value) > Number(condition.value);
    case 'lte':
      return Number(value) <= Number(condition.value);
  }
}
