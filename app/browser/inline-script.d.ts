/** The module with all its imports, as the text of one script. See tools/vite/inline-script.ts. */
declare module '*?inline-script' {
  const code: string;
  export default code;
}
