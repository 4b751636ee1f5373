type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

/** Encodes what WebAuthn needs of CBOR (RFC 8949, section 3). */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)]),
  ]);
}

function head(kind: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(kind << 5) | argument]);
  if (argument < 0x100) return Buffer.from([(kind << 5) | 24, argument]);
  return Buffer.from([(kind << 5) | 25, argument >> 8, argument & 0xff]);
}
