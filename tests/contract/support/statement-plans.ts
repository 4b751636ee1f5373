/** A statement and its plan, from auto_explain. */
export interface ExplainedStatement {
  readonly text: string;
  readonly plan: PlanNode;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly Schema?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

export const OUR_SCHEMAS = new Set(['auth', 'internal', 'public', 'realtime', 'storage']);

/** Tables whose rows are bounded by the configuration, by the program, or by how many servers run. */
export const SMALL = new Set([
  ...['internal.migrations', 'internal.functions', 'internal.secrets', 'internal.typed_code_progress'],
  ...['realtime.servers', 'storage.buckets'],
]);

/**
 * What may read its whole table: the counts of limits are counted once a minute, by any server at any time, and their
 * number is what that bounds (server/limits/bound-limit-counts.ts).
 */
const MAY_READ_WHOLE = /^delete from internal\.rate_limits .*\(select count\(\*\) from internal\.rate_limits\)/;

/** The settings under which PostgreSQL explains each statement, and reads a whole table only where no index serves. */
export const EXPLAIN_EVERYTHING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_verbose': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  enable_seqscan: 'off',
  // What it costs to leave whole tables unread would make PostgreSQL compile each statement.
  jit: 'off',
} as const;

/** Reads a notice of auto_explain; null for any other. */
export function readPlan(notice: string): ExplainedStatement | null {
  const start = notice.indexOf('{');
  if (!notice.startsWith('duration: ') || start < 0) return null;
  const { 'Query Text': text, Plan: plan } = JSON.parse(notice.slice(start)) as {
    readonly 'Query Text': string;
    readonly Plan: PlanNode;
  };
  return { text, plan };
}

/** Where a table that grows is read from one end to the other: by itself, or by way of an index without a condition. */
export function wholeTableReads(statements: readonly ExplainedStatement[]): string[] {
  const judged = statements.filter(({ text }) => !MAY_READ_WHOLE.test(text));
  const found = judged.flatMap(({ text, plan }) =>
    nodesOf(plan)
      .filter(readsWhole)
      .map((node) => `${nameOf(node)}: ${text.replaceAll(/\s+/g, ' ').trim()}`),
  );
  return [...new Set(found)];
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function readsWhole(node: PlanNode): boolean {
  if (!OUR_SCHEMAS.has(node.Schema ?? '') || SMALL.has(nameOf(node))) return false;
  const type = node['Node Type'];
  if (type === 'Bitmap Heap Scan')
    return node.Plans?.[0] === undefined || bitmapsOf(node.Plans[0]).some(isUnconditional);
  return type === 'Seq Scan' || (/^Index (Only )?Scan$/.test(type) && isUnconditional(node));
}

/** The index scans that make a bitmap; its other nodes combine them. */
function bitmapsOf(node: PlanNode): PlanNode[] {
  return node['Node Type'] === 'Bitmap Index Scan' ? [node] : (node.Plans ?? []).flatMap(bitmapsOf);
}

function isUnconditional(node: PlanNode): boolean {
  return node['Index Cond'] === undefined;
}

function nameOf(node: PlanNode): string {
  return `${node.Schema}.${node['Relation Name']}`;
}
