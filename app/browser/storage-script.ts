/**
 * Puts storage that lasts as long as the page in the place of storage that the browser forbids: to touch that is an
 * error, also in code that is not ours.
 */
class PageStorage {
  readonly #values = new Map<string, string>();

  get length(): number {
    return this.#values.size;
  }

  key(place: number): string | null {
    return [...this.#values.keys()][place] ?? null;
  }

  getItem(key: string): string | null {
    return this.#values.get(String(key)) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#values.set(String(key), String(value));
  }

  removeItem(key: string): void {
    this.#values.delete(String(key));
  }

  clear(): void {
    this.#values.clear();
  }
}

for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    void window[name].length;
  } catch {
    Object.defineProperty(window, name, { value: new PageStorage() });
  }
}
