/** A row of `docs/specification.md`. */
export interface Requirement {
  /** Such as `2.13`. */
  readonly id: string;
  readonly section: number;
  readonly place: number;
  /** What the specification has people read, with its `{holes}`. */
  readonly texts: readonly string[];
  readonly proofs: readonly Proof[];
}

/** A test that is named as `file › title`. */
export interface Proof {
  readonly file: string;
  readonly title: string;
}

const ROW = /^\| (\d+)\.(\d+) \| (.+?) \| (.*?)\| (.+?) \|$/gm;
/** In straight quotes, but not an apostrophe within a word. */
const TEXT = /(?<![A-Za-z])'(.+?)'(?![A-Za-z])/g;
const PROOF = /`([^`›]+) › ([^`]+)`/g;

/** The rows of the tables, in their order. */
export function readRequirements(page: string): readonly Requirement[] {
  return [...page.matchAll(ROW)].map(([, section, place, requirement = '', , proof = '']) => ({
    id: `${section}.${place}`,
    section: Number(section),
    place: Number(place),
    texts: [...requirement.matchAll(TEXT)].map(([, text = '']) => text),
    proofs: readProofs(proof),
  }));
}

/** The tests that a text names. */
export function readProofs(text: string): readonly Proof[] {
  return [...text.matchAll(PROOF)].map(([, file = '', title = '']) => ({ file, title }));
}
