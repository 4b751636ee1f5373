let given = 0;

/** Returns the next of 16 million private addresses (RFC 1918), which no other client in the file has. */
export function anAddress(): string {
  given += 1;
  return `10.${(given >> 16) & 255}.${(given >> 8) & 255}.${given & 255}`;
}
