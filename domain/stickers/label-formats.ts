/** Sizes of sheets in millimeters. A roll's page is its label. */
export const PAGE_SIZES = { a4: { width: 210, height: 297 }, letter: { width: 215.9, height: 279.4 } } as const;

/** A product of a label maker: where its labels are. Lengths are millimeters, from the upper left corner of the page. */
export interface LabelFormat {
  readonly id: string;
  readonly brand: string;
  /** The maker's numbers of products with this geometry. */
  readonly parts: readonly string[];
  readonly page: keyof typeof PAGE_SIZES | 'label';
  readonly shape: 'rectangle' | 'round';
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** Of the first label's corner. */
  readonly left: number;
  readonly top: number;
  /** From one label's corner to the next one's. */
  readonly pitchX: number;
  readonly pitchY: number;
}

/**
 * Labels that are large enough for a sticker. The figures are those of the template database of glabels-qt
 * (https://github.com/jimevins/glabels-qt, templates/*.xml, commit 2da9b2d), converted to millimeters. Of 28 formats they
 * are LibreOffice's, as decision 64 says. Brother sells the same rolls with one more 1 in their numbers outside the US.
 *
 * A line has the brand, page, shape, width, height, columns, rows, left, top, pitchX, pitchY, and the numbers.
 */
const TABLE = `
Avery     letter rectangle 101.6  38.1   2 7  3.969  6.35   106.362 38.1   5159
Avery     letter rectangle 66.675 25.4   3 10 4.7625 12.7   69.85   25.4   5160 15160 18160 18660 25160 5260 5510 5520 5560 5810 5920 5960 5970 5971 5972 5979 5980 6231 6233 6245 6460 6498 8160 8250 8460 8560 8620 8660 8810 8920 8930
Avery     letter rectangle 101.6  25.4   2 10 3.969  12.7   106.362 25.4   5161 18161 5261 5961 8161 8461
Avery     letter rectangle 101.6  33.867 2 7  3.969  21.167 106.362 33.867 5162 15162 18162 18662 5262 5512 5522 5922 5962 8162 8252 8462 8662 8922 8932
Avery     letter rectangle 101.6  50.8   2 5  3.969  12.7   106.362 50.8   5163 15163 18163 18663 5263 5513 5523 5795 5923 5963 5978 8163 8253 8463 8663 8763 8923
Avery     letter rectangle 101.6  84.667 2 3  3.969  12.7   106.362 84.667 5164 5264 5514 5524 6464 6499 8164 8254 8464
Avery     letter rectangle 88.9   127    2 2  12.7   12.7   101.6   127    5168
Avery     letter round     41.274 41.274 4 6  11.13  12.7   50.8    42.34  5193 5293
Avery     letter round     63.5   63.5   3 4  6.35   12.7   69.85   63.5   5194 5294
Avery     letter round     84.138 84.138 2 3  16.271 12.304 99.22   85.329 5195 5295
Avery     letter rectangle 69.85  69.85  3 3  3.175  12.7   69.85   76.2   5196 5096 5896 5996 8196 8197
Avery     letter rectangle 101.6  38.1   2 6  3.969  25.4   106.362 38.1   5197
Avery     letter rectangle 87.312 16.933 2 15 13.494 12.7   101.6   16.933 5366 5066 5166 5266 5268 5368 5378 5666 5766 5866 5966 6368 6466 6468 6500 6505 6865 8066 8166 8366 8478
Avery     letter rectangle 85.725 59.267 2 4  17.462 14.817 95.25   63.5   5395 15395 5095 5895 8395
Avery     letter rectangle 68.263 50.8   3 5  3.175  12.7   70.644  50.8   6490 6501 6861 8096
Avery     letter rectangle 44.45  31.75  4 8  12.7   12.7   49.225  31.75  6570
Avery     letter rectangle 60.325 31.75  3 6  9.461  28.575 68.326  38.1   6871
Avery     letter rectangle 95.25  50.8   2 4  9.525  28.575 101.6   57.15  6873
Avery     letter rectangle 95.25  76.2   2 3  9.525  15.875 101.6   85.725 6874
Avery     letter rectangle 95.25  31.75  2 6  9.525  28.575 101.6   38.1   6879 8769
Avery     letter rectangle 44.45  16.916 4 15 7.544  13.487 51.587  16.916 8195
Avery     letter rectangle 63.5   63.5   3 3  7.938  31.75  68.263  76.2   3274.1 3111
Avery     letter round     38.1   38.1   4 5  12.7   19.05  50.8    50.8   3274.2 3112 8293
Avery     letter round     63.5   63.5   3 3  7.938  31.75  68.263  76.2   3274.3
Avery     a4     rectangle 63.5   38.1   3 7  7.21   15.15  66.04   38.1   7160 J8160 L7160
Avery     a4     rectangle 99.06  33.87  2 8  4.67   13.02  101.6   33.87  7162 L7162
Avery     a4     rectangle 99.06  38.1   2 7  4.67   15.15  101.6   38.1   7163 L7163
Avery     a4     rectangle 63.5   71.97  3 4  7.21   4.57   66.04   71.97  7164 J8164 L7164
Avery     a4     rectangle 99.06  67.73  2 4  4.67   13.04  101.64  67.73  7165 J8165 L7165
Avery     a4     rectangle 99.1   139    2 2  4.63   9.5    101.64  139    7169 L7169
Avery     a4     rectangle 70     71.97  2 4  17.93  4.57   104.14  71.97  7664 L7664
Avery     a4     rectangle 38.1   21.198 5 13 4.699  10.901 40.601  21.198 8651 J8551 J8651 L7551 L7651 L8651
Avery     a4     rectangle 64     24.3   3 11 6.46   14     66.54   24.3   J8157
Avery     a4     rectangle 45.72  25.4   4 10 9.75   21.43  48.26   25.4   L4770 J8654 L6140 L6145 L7654
Avery     a4     rectangle 38.075 21.209 5 13 9.5    10.49  38.075  21.209 6121
Avery     a4     rectangle 70     25     3 11 0      10     70      25     38931 CR33 DL33
Avery     a4     rectangle 69.85  32.103 3 9  0      4.586  69.85   32.103 18036
Zweckform a4     rectangle 70     37     3 8  0      0      70      37     3474
Zweckform a4     rectangle 70     36     3 8  0      4.43   70      36     3490
Zweckform a4     rectangle 52.5   29.69  4 10 0      0      52.5    29.69  3651
Zweckform a4     rectangle 97     42.3   2 6  8      21.53  97      42.3   3659
Zweckform a4     rectangle 70     50.8   3 5  0      21.519 70      50.8   3669
Zweckform a4     rectangle 67     38     3 7  2      20     70      38     3348
Zweckform a4     rectangle 35.56  16.93  5 16 11.02  12.99  38.1    16.93  4732
Zweckform a4     rectangle 48.5   25.4   4 10 8      21.43  48.5    25.4   4780
Zweckform a4     rectangle 97     42.3   2 6  8      21.53  97      42.3   4781
Zweckform a4     rectangle 45.72  16.93  4 16 9.75   12.99  48.26   16.93  6021
Zweckform a4     rectangle 64.6   33.8   3 8  8.1    13.23  64.6    33.825 6091
Herma     a4     rectangle 45.72  21.17  4 12 9.75   21.5   48.26   21.17  4097 10004 4221 4232 4235 4346 4366 4367 4368 4369 8864 8940 8965 9531
Herma     a4     rectangle 63.5   29.63  3 9  7.21   15.15  66.04   29.63  4098 10006 10300 4222 4233 4347 4418 4419 4864 5045 5140 5141 5142 5143 8865 8966
Herma     a4     rectangle 96     50.8   2 5  7.73   21.5   98.54   50.8   4099 10013 10307 4223 4349 4667 8653 8806 8845 8893 8967
Herma     a4     rectangle 48.3   25.4   4 11 8.4    8.8    48.3    25.4   4102 4109 4112 4272 4357 4608 4680 4690 4812 5051 8631 8835 8961 8971 8981
Herma     a4     rectangle 63.5   38.1   3 7  7.21   15.15  66.04   38.1   4103 10007 10301 10802 4113 4641b 4677 4904 5074 8632 8650 8680 8801 8838 8890 9600 9621 9661
Herma     a4     rectangle 105    48     2 6  0      4.5    105     48     4457
Herma     a4     rectangle 38.1   21.2   5 13 9.75   10.7   38.1    21.2   4606 4270
Herma     a4     rectangle 48.26  16.93  4 16 8.48   13.06  48.26   16.93  4607 4271
Herma     a4     rectangle 66     33.87  3 8  6      13.03  66      33.87  4614 4670 5053
Herma     a4     rectangle 105    42.428 2 7  0      0      105     42.428 4625 4674 5057
Herma     a4     rectangle 83.8   50.8   2 5  18.6   22     89.2    50.8   5028
DYMO      label  rectangle 28     89     1 1  0      0      28      89     30252 99010
DYMO      label  rectangle 25     25     1 1  0      0      25      25     30332
DYMO      label  rectangle 57     32     1 1  0      0      57      32     30334 11354
DYMO      label  rectangle 25     54     1 1  0      0      25      54     11352
DYMO      label  rectangle 19     51     1 1  0      0      19      51     11355
DYMO      label  rectangle 41     89     1 1  0      0      41      89     11356
DYMO      label  rectangle 36     89     1 1  0      0      36      89     99012
DYMO      label  rectangle 54     101    1 1  0      0      54      101    99014
DYMO      label  rectangle 54     70     1 1  0      0      54      70     99015
Brother   label  rectangle 28.96  89.83  1 1  0      0      28.96   89.83  DK-1201 DK-11201
Brother   label  rectangle 61.98  99.82  1 1  0      0      61.98   99.82  DK-1202 DK-11202
Brother   label  rectangle 17.02  53.85  1 1  0      0      17.02   53.85  DK-1204 DK-11204
Brother   label  rectangle 38.01  89.83  1 1  0      0      38.01   89.83  DK-1208 DK-11208
`;

export const LABEL_FORMATS: readonly LabelFormat[] = TABLE.trim().split('\n').map(readFormat);

function readFormat(line: string): LabelFormat {
  const [brand = '', page, shape, ...others] = line.split(/\s+/);
  const [width = 0, height = 0, columns = 0, rows = 0, left = 0, top = 0, pitchX = 0, pitchY = 0] = others.map(Number);
  const parts = others.slice(8);
  return {
    id: `${brand}-${parts[0]}`.toLowerCase(),
    brand: brand === 'Zweckform' ? 'Avery Zweckform' : brand,
    parts,
    // As the table has them.
    page: page as LabelFormat['page'],
    shape: shape as LabelFormat['shape'],
    width,
    height,
    columns,
    rows,
    left,
    top,
    pitchX,
    pitchY,
  };
}

/** Returns the format with this id, or null. */
export function labelFormat(id: string): LabelFormat | null {
  return LABEL_FORMATS.find((format) => format.id === id.toLowerCase()) ?? null;
}

/**
 * Returns the formats whose brand, number, or id contains every word, with or without its hyphens, and after them those
 * for which a description has the words that these lack.
 *
 * @param describe - What the searching user reads of a format beside its name.
 * @example findLabelFormats('avery 5160').map(({ id }) => id); // ['avery-5160']
 */
export function findLabelFormats(text: string, describe?: (format: LabelFormat) => string): readonly LabelFormat[] {
  const words = searchedWords(text);
  const named: LabelFormat[] = [];
  const described: LabelFormat[] = [];
  for (const format of LABEL_FORMATS) {
    const names = [format.id, format.brand, ...format.parts].join(' ').toLowerCase();
    const unhyphenated = names.replaceAll('-', '');
    const others = words.filter((word) => !names.includes(word) && !unhyphenated.includes(word));
    if (others.length === 0) named.push(format);
    else if (describe !== undefined) {
      const description = describe(format).toLowerCase();
      if (others.every((word) => description.includes(word))) described.push(format);
    }
  }
  return [...named, ...described];
}

/**
 * Returns the number by which the labels were searched for, or the first: those of one geometry are sold under many.
 *
 * @example partFor(format, 'avery 8160'); // '8160'
 */
export function partFor({ parts }: LabelFormat, text: string): string {
  const words = searchedWords(text);
  const spellings = (part: string) => [part.toLowerCase(), part.toLowerCase().replaceAll('-', '')];
  const isNamed = (part: string) => spellings(part).some((spelling) => words.includes(spelling));
  const isBegun = (part: string) => spellings(part).some((spelling) => words.some((word) => spelling.startsWith(word)));
  const isEnded = (part: string) => spellings(part).some((spelling) => words.some((word) => spelling.endsWith(word)));
  return parts.find(isNamed) ?? parts.find(isBegun) ?? parts.find(isEnded) ?? parts[0] ?? '';
}

function searchedWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
