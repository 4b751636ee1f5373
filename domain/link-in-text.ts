/**
 * Returns a link of ours as it stands in a text. Programs that find links in texts leave a `-` or `_` at the end out, so
 * it is escaped there: the same link, which ends in a letter or digit.
 *
 * @example linkInText('https://lost.example.org/tgt-abc_'); // 'https://lost.example.org/tgt-abc%5F'
 */
export function linkInText(link: string): string {
  return link.replace(/[-_]$/, (mark) => (mark === '-' ? '%2D' : '%5F'));
}
