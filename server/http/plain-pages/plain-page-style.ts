/** The product's colors (app/ui/style/tokens.css) and type, for pages that load no files. */
export const PLAIN_PAGE_STYLE = `
:root { color-scheme: light dark; --canvas: #f3f7f4; --surface: #fff; --ink: #10231e; --soft: #475a53;
  --line: #d2ded7; --strong-line: #74867e; --primary: #0b5d4d; --primary-strong: #07463a; --on-primary: #fff;
  --primary-soft: #d9eee6; --danger: #b3231b; --danger-soft: #fdebe9; --tag-soft: #fff0cc; --on-tag-soft: #6b4700;
  --raised: 0 1px 2px rgb(16 35 30 / 6%), 0 4px 14px rgb(16 35 30 / 6%); }
@media (prefers-color-scheme: dark) { :root { --canvas: #0b1412; --surface: #13201c; --ink: #e9f2ee;
  --soft: #a5b8b0; --line: #273a34; --strong-line: #6f857c; --primary: #5bcfae; --primary-strong: #83e2c7;
  --on-primary: #03211a; --primary-soft: #14382f; --danger: #ff9c92; --danger-soft: #3a1714; --tag-soft: #35290b;
  --on-tag-soft: #ffd98c; --raised: 0 1px 2px rgb(0 0 0 / 40%); } }
* { box-sizing: border-box; margin: 0; }
body { background: var(--canvas); color: var(--ink); font: 1.0625rem/1.55 ui-sans-serif, system-ui, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, sans-serif; }
`;
