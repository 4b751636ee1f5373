/** How many rows one request asks for. The service may return fewer (`REST_MAX_ROWS`). */
const PAGE = 1_000;

interface Page<Row> {
  readonly data: readonly Row[] | null;
  readonly error: Error | null;
  /** How many rows there are in all. */
  readonly count: number | null;
}

/**
 * Returns all rows of a query, in as many requests as the service's limit needs. Rows need a unique order. Throws the
 * data service's error.
 *
 * @param load - Loads the rows from `first` to `last` and counts all (`{ count: 'exact' }`).
 */
export async function loadAllRows<Row>(
  load: (first: number, last: number) => PromiseLike<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { data, error, count } = await load(rows.length, rows.length + PAGE - 1);
    if (error) throw error;
    rows.push(...(data ?? []));
    // Rows may have been deleted since they were counted.
    if (data === null || data.length === 0 || rows.length >= (count ?? 0)) return rows;
  }
}
