/** Returns the row of a statement that always returns exactly one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A statement that always returns one row returned none.');
  return row;
}
