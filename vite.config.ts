import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { chunkGroups } from './tools/vite/chunk-groups.ts';
import { inlineScript } from './tools/vite/inline-script.ts';
import { smallSource } from './tools/vite/small-source.ts';
import { words } from './tools/vite/words.ts';
import { compileWords } from './tools/words/compile-words.ts';

// Modules that are generated, for whoever starts here: a build, `react-router typegen`, the development server.
compileWords(import.meta.dirname);

export default defineConfig(({ command }) => ({
  plugins: [inlineScript(), words(import.meta.dirname), smallSource(), tailwindcss(), reactRouter()],
  build: {
    // Every browser that has ES modules, import.meta and top-level await: 2021 and later.
    target: 'es2022',
    // The server reads in it where the scripts are that a document of the app has the browser fetch early.
    manifest: true,
    // The server build inlines the finder's styles into a document, where each byte counts.
    cssMinify: true,
    assetsInlineLimit: 0,
  },
  // Modules, which may wait for their WebAssembly at the start.
  worker: { format: 'es' },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: { codeSplitting: { groups: chunkGroups } },
        },
      },
    },
  },
  // All dependencies at the start: one found later makes Vite bundle again and reload the page during use.
  // Except the shaper, which finds its WebAssembly beside its own file.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}', '!app/**/*.test.{ts,tsx}'], exclude: ['harfbuzzjs'] },
  // Bundled with React's production build whatever the server's NODE_ENV: it renders several times faster.
  ...(command === 'build' && {
    ssr: { noExternal: true as const },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  }),
}));
