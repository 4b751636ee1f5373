// What the package has for browsers and its types lack (pdfkit 0.20, README, "Browser Usage").
declare module 'pdfkit/standard-fonts/HelveticaBold' {
  export interface StandardFont {
    readonly name: string;
  }
  const font: StandardFont;
  export default font;
}
declare module 'pdfkit/standard-fonts/CourierBold' {
  export { default } from 'pdfkit/standard-fonts/HelveticaBold';
}
