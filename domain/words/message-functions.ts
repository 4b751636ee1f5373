type Texts = Readonly<Record<string, string>> & { readonly other: string };

/** Returns what compiled messages with numbers and choices call, for a language. */
export function messageFunctions(tag: string) {
  let numbers: Intl.NumberFormat | undefined;
  let plurals: Intl.PluralRules | undefined;
  let places: Intl.PluralRules | undefined;
  return {
    /** Writes a number in the language's digits. */
    format(count: number): string {
      numbers ??= new Intl.NumberFormat(tag);
      return numbers.format(count);
    },

    /** Returns the text for a number: that of exactly this number, as `=0`, before that of its plural category. */
    plural(count: number, texts: Texts): string {
      plurals ??= new Intl.PluralRules(tag);
      return texts[`=${count}`] ?? texts[plurals.select(count)] ?? texts.other;
    },

    /** Returns the text for a place in an order, as in “2nd”. */
    ordinal(place: number, texts: Texts): string {
      places ??= new Intl.PluralRules(tag, { type: 'ordinal' });
      return texts[places.select(place)] ?? texts.other;
    },

    /** Returns the text for a word. */
    select(word: string, texts: Texts): string {
      return texts[word] ?? texts.other;
    },
  };
}
