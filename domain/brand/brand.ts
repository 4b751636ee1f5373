/** What pages show of the operator, beside the product's name. */
export interface Brand {
  /** A style sheet with the operator's color and logo; empty for those of the product. */
  readonly styles: string;
  /** On each finder's page, such as who the operator is. */
  readonly sentence: string | null;
  /** At the end of each page, such as the operator's imprint. */
  readonly links: readonly BrandLink[];
}

export interface BrandLink {
  readonly text: string;
  readonly url: string;
}
