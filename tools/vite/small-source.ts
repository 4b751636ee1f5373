import type { Plugin } from 'vite';

/**
 * Makes the text of server modules small, which Node keeps in memory as long as it runs: without spaces and comments, and
 * in ASCII where that is smaller. Names stay, so that logged stacks show where something failed.
 */
export function smallSource(): Plugin {
  return {
    name: 'small-source',
    applyToEnvironment: ({ name }) => name === 'ssr',
    outputOptions: (options) => ({
      ...options,
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    }),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const output of Object.values(bundle)) if (output.type === 'chunk') output.code = smallest(output.code);
      },
    },
  };
}

/** Of a text with any character beyond ASCII, Node keeps two bytes for each. */
function smallest(code: string): string {
  const escaped = inAscii(code);
  return escaped.length < code.length * 2 ? escaped : code;
}

/**
 * In literals and names, which are all that is left, an escape is the character. One that is escaped already loses its
 * backslash.
 */
function inAscii(code: string): string {
  return code.replace(/(\\*)([^\0-\x7f])/g, (_, backslashes: string, unit: string) => {
    const before = backslashes.slice(backslashes.length % 2);
    return `${before}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
