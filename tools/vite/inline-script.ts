import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const SUFFIX = '?inline-script';

/**
 * `import code from './x.ts?inline-script'` gives the module and all that it imports as the text of one minified
 * script, to be put into a document. The text must not end its own script element, so `</` never stands in it.
 */
export function inlineScript(): Plugin {
  return {
    name: 'inline-script',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(SUFFIX)) return null;
      const resolved = await this.resolve(source.slice(0, -SUFFIX.length), importer, { skipSelf: true });
      // Under an id of its own (RFC 3986 has no NUL), so that no other plugin takes it for a module of the page.
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
  // Neither watching nor several outputs were asked for, so this is one finished output.
  const { output } = [result].flat()[0] as Rolldown.RolldownOutput;
  const [chunk] = output;
  return {
    code: chunk.code.trim().replaceAll('</', String.raw`<\/`),
    modules: chunk.moduleIds.filter((module) => !module.startsWith('\0')),
  };
}
