import type { Statement } from './statement.ts';

/** Converts a statement to the driver's form, which needs a mutable array. */
export function asQueryConfig(statement: Statement): { name?: string; text: string; values?: unknown[] } {
  const config: { name?: string; text: string; values?: unknown[] } = { text: statement.text };
  if (statement.name !== undefined) config.name = statement.name;
  if (statement.values !== undefined) config.values = [...statement.values];
  return config;
}
