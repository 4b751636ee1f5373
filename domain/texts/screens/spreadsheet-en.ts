/** The screen on which owners save their items in a spreadsheet and read them from one, in English. */
export const spreadsheetEn = {
  title: 'Items in a spreadsheet',
  lead: 'Add or change many items at once, in Excel, Numbers, or Google Sheets.',
  loadFailed: 'We couldn’t load your items',
  loadFailedText: 'Please check your connection.',

  download: {
    title: 'Download your items',
    text: (count: number) => (count === 1 ? 'Your one item, as a CSV file.' : `Your ${count} items, as a CSV file.`),
    none: 'You have no items yet. The file has only the headings, to fill in.',
    button: 'Download',
    fileName: (prefix: string) => `${prefix}-items.csv`,
  },

  columns: {
    code: 'Code',
    itemName: 'Name',
    itemType: 'Type',
    description: 'Description',
    noteToFinders: 'Note to finders',
    reward: 'Reward',
    link: 'Link',
  },

  upload: {
    title: 'Add or change items',
    text: 'A row with a code changes that item. A row without a code adds a new one. You’ll see what changes before anything is saved.',
    choose: 'Choose a CSV file',
    chooseAnother: 'Choose another file',
    reading: 'Reading the file...',
  },

  /** A file of which no row can be used. */
  fileProblems: {
    'too-large': 'This file is too large. The limit is 5 MB.',
    'not-csv': 'This isn’t a CSV file. In your spreadsheet, save or download it as “CSV UTF-8”.',
    'wrong-encoding':
      'We can’t read some characters in this file. In your spreadsheet, save or download it again as “CSV UTF-8”.',
    'broken-quotes': 'This file has a quotation mark that is never closed. Save it again from your spreadsheet.',
    'no-name-column': 'The first row has no “Name” column. Download your items to see the headings.',
    'no-rows': 'There are no items below the headings.',
    'too-many-rows': 'This file has more than 2,000 items. Please split it.',
  },

  preview: {
    title: (file: string) => `What ${file} will change`,
    counts: {
      new: (count: number) => (count === 1 ? '1 new item' : `${count} new items`),
      changed: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
      same: (count: number) => `${count} unchanged`,
      refused: (count: number) => (count === 1 ? '1 row with a problem' : `${count} rows with a problem`),
    },
    refusedText:
      'Rows with a problem won’t be saved. Correct them in your file and choose it again, or save the others.',
    nothing: 'Everything in this file is already saved.',
    row: (row: number) => `Row ${row}`,
    outcomes: { new: 'New', changed: 'Changed', refused: 'Problem' },
    /** Another item has the same name. */
    alike: 'You already have an item with this name.',
    /** Before and after a change. */
    cleared: 'empty',
    more: (count: number) => (count === 1 ? 'and 1 more row' : `and ${count} more rows`),
    save: (count: number) => (count === 1 ? 'Save 1 item' : `Save ${count} items`),
    saving: 'Saving...',
  },

  rowProblems: {
    unknownCode: (code: string) => `${code} isn’t the code of one of your items. For a new item, leave the code empty.`,
    repeatedCode: (row: number) => `Row ${row} is about the same item.`,
    noName: 'The name is missing.',
    unknownType: (type: string, types: string) => `There is no type “${type}”. Use ${types}, or leave it empty.`,
    tooLong: (column: string, most: number) => `${column} has more than ${most} characters.`,
  },

  saved: {
    title: (count: number) => (count === 1 ? '1 item is saved' : `${count} items are saved`),
    text: 'New items need a sticker before anyone can scan them.',
    stickers: 'Print stickers',
    dashboard: 'See your items',
  },
  /** Nothing of the file is saved. */
  refusals: {
    failed: 'We couldn’t save the items. Your items haven’t changed. Please try again.',
    noRoom: 'Your account doesn’t have room for that many items. Your items haven’t changed.',
    notIssued: 'New items need a sticker from us. Your items haven’t changed. Scan each sticker to add its item.',
  },
} as const;
