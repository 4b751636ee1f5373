import sharp from 'sharp';

/** A photo of an umbrella on a bench, as the app sends it: WebP, and 1280 pixels on the longer side. */
export function drawPhoto(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 1280" width="960" height="1280">
    <defs>
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#9db8c7"/><stop offset="1" stop-color="#e6dccb"/></linearGradient>
      <linearGradient id="cloth" x2="1" y2="1"><stop stop-color="#ffd34d"/><stop offset="1" stop-color="#d98a06"/></linearGradient>
    </defs>
    <rect width="960" height="1280" fill="url(#sky)"/>
    <rect y="800" width="960" height="480" fill="#7b5a3f"/>
    <path d="M0 880h960M0 980h960M0 1100h960" stroke="#5c4230" stroke-width="14"/>
    <ellipse cx="500" cy="1010" rx="330" ry="40" fill="#000" opacity=".25"/>
    <path d="M480 330v590q0 70 60 70t60-70" fill="none" stroke="#3b2a20" stroke-width="26" stroke-linecap="round"/>
    <path d="M120 640a360 360 0 0 1 720 0q-60-60-120 0-60-60-120 0-60-60-120 0-60-60-120 0-60-60-120 0-60-60-120 0z" fill="url(#cloth)"/>
    <path d="M480 280q-130 130-120 360M480 280q130 130 120 360" fill="none" stroke="#b06c00" stroke-width="6"/>
  </svg>`;
  return sharp(Buffer.from(svg)).webp().toBuffer();
}
