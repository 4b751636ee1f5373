interface ProseSection {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly points?: readonly string[];
}

/** A page of plain text. */
export interface Prose {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly ProseSection[];
}
