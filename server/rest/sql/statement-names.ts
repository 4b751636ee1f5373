import type { ApiRole } from '#server/postgres/caller.ts';
import type { Statement } from '#server/postgres/statement.ts';

/** How many prepared statements a connection may hold for one role; each costs PostgreSQL about 20 kB. */
const MOST_NAMES_OF_A_ROLE = 200;
const MOST_SEEN_ONCE = 500;

/**
 * Chooses which statements to prepare: those seen a second time, up to a limit. Each role has its own limit, so that a
 * visitor with ever new queries takes nothing from signed-in users. Other statements run unprepared.
 */
export class StatementNames {
  #names: Record<ApiRole, Map<string, string>> = { anon: new Map(), authenticated: new Map(), service_role: new Map() };
  #seenOnce = new Set<string>();

  named(role: ApiRole, statement: Statement): Statement {
    const name = this.#nameOf(role, statement.text);
    return name === undefined ? statement : { ...statement, name };
  }

  #nameOf(role: ApiRole, text: string): string | undefined {
    const names = this.#names[role];
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_NAMES_OF_A_ROLE) return known;
    if (!this.#seenOnce.delete(text)) {
      if (this.#seenOnce.size >= MOST_SEEN_ONCE) this.#seenOnce.clear();
      this.#seenOnce.add(text);
      return undefined;
    }
    const name = `rest_${role}_${names.size}`;
    names.set(text, name);
    return name;
  }
}
