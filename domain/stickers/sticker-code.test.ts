import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { LABEL_FORMATS } from './label-formats.ts';
import { stickerCode } from './sticker-code.ts';
import { stickerLayout } from './sticker-layout.ts';

const TEXTS = { call: 'Found? Scan me', typedCode: '3DT6-Y0E3-TXX7-GGAD' };
const LINKS = ['https://a.org/tgt-0123456789abcdef', 'https://lost.example.org/tgt-0123456789abcdef'];

describe('stickerCode', () => {
  it.each(LINKS)(
    'has the largest modules on every label, and the strongest error correction that they hold: %s',
    (link) => {
      const fewest = encode(link, { ecc: 'L', boostEcc: false, border: 0 }).size;
      const codes = (['H', 'Q', 'M', 'L'] as const).map((ecc) => encode(link, { ecc, boostEcc: false, border: 0 }));
      const strongest = codes.find(({ size }) => size === fewest);
      for (const format of LABEL_FORMATS) {
        const side = stickerLayout(format, 0, TEXTS).code.width;
        expect(stickerCode(link, side), format.id).toEqual({ rows: strongest?.data, module: side / (fewest + 8) });
      }
    },
  );

  it('is refused where its modules would be smaller than 0.33 mm', () => {
    const [link = ''] = LINKS;
    const modules = encode(link, { ecc: 'L', border: 0 }).size + 8;
    expect(stickerCode(link, modules * 0.33)?.module).toBeCloseTo(0.33, 9);
    expect(stickerCode(link, modules * 0.33 - 0.01)).toBeNull();
    expect(stickerCode('x'.repeat(3_000), 1_000)).toBeNull();
  });
});
