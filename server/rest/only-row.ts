/** The row of a statement that always answers exactly one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A statement that always answers one row answered none.');
  return row;
}
