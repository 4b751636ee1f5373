import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const SUFFIX = '?inline-script';

/**
 * `import code from './x.ts?inline-script'` returns the module with all its imports as the text of one minified script,
 * for embedding in a document. `</` is escaped, so that the text cannot end its script element.
 */
export function inlineScript(): Plugin {
  return {
    name: 'inline-script',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(SUFFIX)) return null;
      const resolved = await this.resolve(source.slice(0, -SUFFIX.length), importer, { skipSelf: true });
      // A virtual id (NUL is Rollup's convention), so that no other plugin treats it as a module of the page.
      return resolved === null ? null : `\0inline-script:${resolved.id}.js`;
    },
    async load(id) {
      if (!id.startsWith('\0inline-script:')) return null;
      const entry = id.slice('\0inline-script:'.length, -'.js'.length);
      const { code, modules } = await bundle(entry);
      for (const module of modules) this.addWatchFile(module);
      return `export default ${JSON.stringify(code)};`;
    },
  };
}

async function bundle(entry: string): Promise<{ code: string; modules: string[] }> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root: fileURLToPath(new URL('../..', import.meta.url)),
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: entry, output: { format: 'iife', codeSplitting: false } },
    },
  });
  // Without watch mode and with one output configured, the result is a single output.
  const { output } = [result].flat()[0] as Rolldown.RolldownOutput;
  const [chunk] = output;
  return {
    code: chunk.code.trim().replaceAll('</', String.raw`<\/`),
    modules: chunk.moduleIds.filter((module) => !module.startsWith('\0')),
  };
}
