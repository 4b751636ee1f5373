import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: {
    // Every browser that has ES modules, import.meta and top-level await: 2021 and later.
    target: 'es2022',
    assetsInlineLimit: 0,
  },
  // React and the router are one copy each for the server and for what it renders.
  ssr: { target: 'node' },
});
