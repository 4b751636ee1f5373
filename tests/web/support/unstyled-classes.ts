/** Classes that mark an element for other classes or for scripts, and have no style of their own. */
const MARKS = /^(group|peer)(\/|$)/;

/** Returns the classes of a document for which its own inlined style has no rule. */
export function unstyledClasses(html: string): string[] {
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style]) => style).join('');
  const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.replaceAll('&amp;', '&').replaceAll('&gt;', '>').split(/\s+/),
  );
  const selectorOf = (name: string) => `.${name.replace(/[^\w-]/g, (character) => `\\${character}`)}`;
  return [...new Set(classes)].filter((name) => name !== '' && !MARKS.test(name) && !styles.includes(selectorOf(name)));
}
