import { constants, deflateRawSync } from 'node:zlib';

/** The longest distance of a reference (RFC 1951, section 2). */
const WINDOW_BYTES = 32_768;

/**
 * Fixed Huffman codes, which need no table in the stream, so that values unknown at this point can be encoded with them
 * later.
 */
const FIXED_CODES = {
  strategy: constants.Z_FIXED,
  level: 9,
  memLevel: 9,
  finishFlush: constants.Z_SYNC_FLUSH,
} as const;

/**
 * Represents a value among the texts that references may lead to. It is not a byte of UTF-8, so no reference includes
 * it.
 */
const GAP = Buffer.from([0xff]);

const STORED = 0;
const END_OF_BLOCK = 256;
/** How many bytes a reference can stand for. */
const LEAST_REFERENCE = 3;
const MOST_REFERENCE = 258;
const LENGTH_258 = 285;
/** BFINAL 0 and BTYPE 01 (section 3.2.3), lowest bit first. */
const BLOCK_WITH_FIXED_CODES = 0b010;
const BLOCK_TYPE_BITS = 3;
/** Code 0000000 of the fixed table. */
const END_OF_BLOCK_BITS = 7;
/** An empty stored block after its three bits and the padding, which ends at a byte boundary. */
const EMPTY_STORED = [0x00, 0x00, 0xff, 0xff] as const;

/** A reference whose distance depends on the values, because values of unknown length are between it and its origin. */
interface Reference {
  /** The distance without any values. */
  readonly distance: number;
  /** The text that contains its origin, or the index after the last known text. */
  readonly from: number;
}

/** Numbers for each step of filling in: how many bits are copied, and the two of the reference that follows. */
const STEP = 3;
/** In place of a distance: the text ends here. */
const END_OF_TEXT = 0;

/**
 * A text with gaps as blocks of a deflate stream (RFC 1951), searched for repetitions once. Filling the gaps only
 * encodes their values and the distances across them, which takes a fraction of the time of compressing the text.
 */
export class PackedTemplate {
  /** Bits that do not depend on the values. Those of each step begin at a byte boundary. */
  #bits: Uint8Array;
  #steps: Int32Array;
  /** Where each text ends without any values, in bytes. */
  #ends: Int32Array;

  /** `before` precedes the text in the stream and may be referred to. */
  constructor(before: Buffer, texts: readonly Buffer[]) {
    const steps = new StepWriter();
    let known = before;
    for (const [index, text] of texts.entries()) {
      addSteps(steps, text, known, new Origins(before.length, texts, index));
      known = Buffer.concat([known, text, GAP]);
    }
    this.#bits = steps.bits();
    this.#steps = Int32Array.from(steps.numbers);
    let end = 0;
    this.#ends = Int32Array.from(texts, (text) => {
      end += text.length;
      return end;
    });
  }

  /** Its size in memory, in bytes. */
  get bytes(): number {
    return this.#bits.byteLength + this.#steps.byteLength + this.#ends.byteLength;
  }

  /**
   * Returns the blocks with `values` in the gaps, ending at a byte boundary, or null where a reference would reach back
   * too far. A value that is the same buffer as an earlier one is written as a reference to that.
   */
  fill(values: readonly Buffer[]): Buffer | null {
    /** How many bytes of values precede each text. */
    const offsets = [0];
    let valueBytes = 0;
    for (const value of values) {
      valueBytes += value.length;
      offsets.push(valueBytes);
    }
    const steps = this.#steps;
    const out = new BitWriter(this.#bits.length + steps.length + 2 * valueBytes + 16);
    out.write(BLOCK_WITH_FIXED_CODES, BLOCK_TYPE_BITS);
    const written = new Map<Buffer, number>();
    let text = 0;
    let from = 0;
    for (let step = 0; step < steps.length; step += STEP) {
      const bitCount = steps[step] ?? 0;
      const distance = steps[step + 1] ?? 0;
      out.copy(this.#bits, from, bitCount);
      from += (bitCount + 7) >> 3;
      if (distance === END_OF_TEXT) {
        const value = values[text] ?? NOTHING;
        const at = (this.#ends[text] ?? 0) + (offsets[text] ?? 0);
        const earlier = written.get(value);
        if (earlier === undefined) {
          for (const byte of value) out.writeLiteral(byte);
          written.set(value, at);
        } else out.writeAgain(value, at - earlier);
        text += 1;
      } else {
        const reach = distance + (offsets[text] ?? 0) - (offsets[steps[step + 2] ?? 0] ?? 0);
        if (reach > WINDOW_BYTES) return null;
        out.writeDistance(reach);
      }
    }
    out.write(0, END_OF_BLOCK_BITS);
    out.endOnByte();
    return out.written();
  }
}

const NOTHING = Buffer.alloc(0);

/** The origin of the bytes that a text may refer to. */
class Origins {
  /** Where each preceding text ends, counting one byte for every gap. */
  #ends: number[] = [];
  #index: number;

  constructor(before: number, texts: readonly Buffer[], index: number) {
    let end = before;
    for (const text of texts.slice(0, index)) {
      end += text.length;
      this.#ends.push(end);
      end += GAP.length;
    }
    this.#index = index;
  }

  /** Returns the reference `distance` bytes back from `at`, or null where no gap is in between. */
  reference(at: number, distance: number): Reference | null {
    const origin = at - distance;
    const from = this.#ends.findIndex((end) => origin < end);
    return from === -1 ? null : { distance: distance - (this.#index - from) * GAP.length, from };
  }
}

class StepWriter {
  readonly numbers: number[] = [];
  #pieces: Buffer[] = [];

  add(bits: BitWriter, distance: number, from: number): void {
    this.numbers.push(bits.bitCount, distance, from);
    this.#pieces.push(bits.written());
  }

  bits(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.#pieces));
  }
}

/** Compresses a text after what is known, and decodes the result. */
function addSteps(steps: StepWriter, text: Buffer, known: Buffer, origins: Origins): void {
  const dictionary = known.subarray(-WINDOW_BYTES);
  const input = new BitReader(deflateRawSync(text, { ...FIXED_CODES, ...(dictionary.length > 0 && { dictionary }) }));
  let out = new BitWriter(2 * text.length + 16);
  let at = known.length;
  const end = known.length + text.length;
  while (at < end) {
    input.read(1);
    if (input.read(2) === STORED) {
      for (let left = input.readStoredLength(); left > 0; left -= 1, at += 1) out.writeLiteral(input.read(8));
      continue;
    }
    for (let symbol = input.readSymbol(); symbol !== END_OF_BLOCK; symbol = input.readSymbol()) {
      if (symbol < END_OF_BLOCK) {
        out.writeLiteral(symbol);
        at += 1;
        continue;
      }
      const extraBits = symbol < 265 || symbol === LENGTH_258 ? 0 : (symbol - 261) >> 2;
      const extra = input.read(extraBits);
      out.writeLength(symbol);
      out.write(extra, extraBits);
      const distance = input.readDistance();
      const reference = origins.reference(at, distance);
      if (reference === null) out.writeDistance(distance);
      else {
        steps.add(out, reference.distance, reference.from);
        out = new BitWriter(2 * text.length + 16);
      }
      at += shortestLength(symbol, extraBits) + extra;
    }
  }
  steps.add(out, END_OF_TEXT, 0);
}

/** Lengths of section 3.2.5. */
function shortestLength(symbol: number, extraBits: number): number {
  if (symbol < 265) return symbol - 254;
  return symbol === LENGTH_258 ? 258 : ((4 + ((symbol - 265) & 3)) << extraBits) + 3;
}

/** Huffman codes are written highest bit first, all other values lowest bit first (section 3.1.1). */
function reversed(code: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit += 1) result |= ((code >> bit) & 1) << (bits - 1 - bit);
  return result;
}

/** The fixed codes of section 3.2.6. */
const LITERALS = Array.from({ length: 256 }, (_, byte) =>
  byte < 144 ? { code: reversed(0x30 + byte, 8), bits: 8 } : { code: reversed(0x190 + byte - 144, 9), bits: 9 },
);
const LITERAL_CODES = Uint16Array.from(LITERALS, ({ code }) => code);
const LITERAL_BITS = Uint8Array.from(LITERALS, ({ bits }) => bits);
const DISTANCE_CODES = Uint8Array.from({ length: 30 }, (_, symbol) => reversed(symbol, 5));

class BitWriter {
  #bytes: Buffer;
  #length = 0;
  #pending = 0;
  #pendingBits = 0;

  constructor(mostBytes: number) {
    this.#bytes = Buffer.allocUnsafe(mostBytes);
  }

  get bitCount(): number {
    return 8 * this.#length + this.#pendingBits;
  }

  /** At most 24 bits. */
  write(value: number, bits: number): void {
    this.#pending |= value << this.#pendingBits;
    this.#pendingBits += bits;
    while (this.#pendingBits >= 8) {
      this.#bytes[this.#length] = this.#pending;
      this.#length += 1;
      this.#pending >>>= 8;
      this.#pendingBits -= 8;
    }
  }

  /** Copies bits of `bytes`, beginning with those of the byte at `from`. */
  copy(bytes: Uint8Array, from: number, bitCount: number): void {
    let at = from;
    let left = bitCount;
    for (; left >= 16; left -= 16, at += 2) this.write((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8), 16);
    for (; left > 0; left -= 8, at += 1) this.write(bytes[at] ?? 0, Math.min(left, 8));
  }

  writeLiteral(byte: number): void {
    this.write(LITERAL_CODES[byte] ?? 0, LITERAL_BITS[byte] ?? 0);
  }

  writeLength(symbol: number): void {
    if (symbol < 280) this.write(reversed(symbol - 256, 7), 7);
    else this.write(reversed(0xc0 + symbol - 280, 8), 8);
  }

  /** Writes bytes that the stream has `distance` bytes back, in references as far as these can lead there. */
  writeAgain(bytes: Buffer, distance: number): void {
    let at = 0;
    while (distance <= WINDOW_BYTES && bytes.length - at >= LEAST_REFERENCE) {
      const length = Math.min(bytes.length - at, MOST_REFERENCE);
      const beyond = length - LEAST_REFERENCE;
      const extraBits = length === MOST_REFERENCE ? 0 : Math.max(0, 29 - Math.clz32(beyond));
      this.writeLength(length === MOST_REFERENCE ? LENGTH_258 : 257 + 4 * extraBits + (beyond >> extraBits));
      this.write(beyond & ((1 << extraBits) - 1), extraBits);
      this.writeDistance(distance);
      at += length;
    }
    for (; at < bytes.length; at += 1) this.writeLiteral(bytes[at] ?? 0);
  }

  /** Distances of section 3.2.5: two codes for each number of extra bits. */
  writeDistance(distance: number): void {
    const steps = distance - 1;
    if (steps < 4) {
      this.write(DISTANCE_CODES[steps] ?? 0, 5);
      return;
    }
    const extraBits = 30 - Math.clz32(steps);
    const symbol = 2 * extraBits + (steps >> extraBits);
    this.write((DISTANCE_CODES[symbol] ?? 0) | ((steps & ((1 << extraBits) - 1)) << 5), 5 + extraBits);
  }

  /** Ends with an empty stored block. */
  endOnByte(): void {
    this.write(STORED, BLOCK_TYPE_BITS);
    if (this.#pendingBits > 0) this.write(0, 8 - this.#pendingBits);
    for (const byte of EMPTY_STORED) this.write(byte, 8);
  }

  /** Returns all bits, padded with zeros to a byte boundary. */
  written(): Buffer {
    if (this.#pendingBits > 0) this.write(0, 8 - this.#pendingBits);
    return this.#bytes.subarray(0, this.#length);
  }
}

class BitReader {
  #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(bits: number): number {
    let value = 0;
    for (let bit = 0; bit < bits; bit += 1) value |= this.#bit() << bit;
    return value;
  }

  readSymbol(): number {
    let code = this.#code(7);
    if (code <= 0x17) return END_OF_BLOCK + code;
    code = (code << 1) | this.#bit();
    if (code <= 0xbf) return code - 0x30;
    if (code <= 0xc7) return 280 + code - 0xc0;
    return 144 + ((code << 1) | this.#bit()) - 0x190;
  }

  readDistance(): number {
    const symbol = this.#code(5);
    if (symbol < 4) return symbol + 1;
    const extraBits = (symbol >> 1) - 1;
    return ((2 + (symbol & 1)) << extraBits) + this.read(extraBits) + 1;
  }

  /** Skips the rest of the byte, and reads the length and its complement. */
  readStoredLength(): number {
    this.#at = (this.#at + 7) & ~7;
    const length = this.read(16);
    this.read(16);
    return length;
  }

  #code(bits: number): number {
    let code = 0;
    for (let bit = 0; bit < bits; bit += 1) code = (code << 1) | this.#bit();
    return code;
  }

  #bit(): number {
    const bit = ((this.#bytes[this.#at >> 3] ?? 0) >> (this.#at & 7)) & 1;
    this.#at += 1;
    return bit;
  }
}
