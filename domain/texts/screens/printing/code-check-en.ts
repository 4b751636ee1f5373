/** Texts about the check of one code before it is printed, in English. */
export const codeCheckEn = {
  checking: 'We’re checking that the code can be scanned...',
  checked: 'We scanned the code as a test, and it works.',
  unchecked: 'We couldn’t check the code, so we don’t offer it for printing.',
  unreadable: 'This code can’t be scanned, so it isn’t printed. Choose another size under “More sizes and sheets”.',
} as const;
