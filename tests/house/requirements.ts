/** A row of `docs/specification.md`. */
export interface Requirement {
  /** Such as `2.13`. */
  readonly id: string;
  readonly section: number;
  readonly place: number;
  /** What the specification has people read, with its `{holes}`. */
  readonly texts: readonly string[];
  /** Those of its tests. */
  readonly files: readonly string[];
}

const ROW = /^\| (\d+)\.(\d+) \| (.+?) \| (.*?)\| (.+?) \|$/gm;
/** In straight quotes, but not an apostrophe within a word. */
const TEXT = /(?<![A-Za-z])'(.+?)'(?![A-Za-z])/g;
const FILE = /`([^`]+)`/g;

/** The rows of the tables, in their order. */
export function readRequirements(page: string): readonly Requirement[] {
  return [...page.matchAll(ROW)].map(([, section, place, requirement = '', , proof = '']) => ({
    id: `${section}.${place}`,
    section: Number(section),
    place: Number(place),
    texts: [...requirement.matchAll(TEXT)].map(([, text = '']) => text),
    files: [...proof.matchAll(FILE)].map(([, file = '']) => file),
  }));
}
