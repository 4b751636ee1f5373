import type { Statement } from './statement.ts';

/** The driver's form of a statement; it wants a mutable array. */
export function asQueryConfig(statement: Statement): { name?: string; text: string; values?: unknown[] } {
  const config: { name?: string; text: string; values?: unknown[] } = { text: statement.text };
  if (statement.name !== undefined) config.name = statement.name;
  if (statement.values !== undefined) config.values = [...statement.values];
  return config;
}
