let given = 0;

/** The next of 16 million addresses of a network that is nobody's (RFC 1918): no other caller in the file has it. */
export function anAddress(): string {
  given += 1;
  return `10.${(given >> 16) & 255}.${(given >> 8) & 255}.${given & 255}`;
}
