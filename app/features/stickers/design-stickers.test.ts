import { expect, it } from 'vitest';
import { plainPaper } from '#domain/stickers/plain-paper.ts';
import { encodeLink } from '#domain/stickers/sticker-code.ts';
import { createDesigner, type Design } from './design-stickers.ts';

const DESIGN: Design = { format: plainPaper('a4', 'medium'), texts: { own: 'D' }, hasTypedCode: true, logo: null };
const chosen = Array.from({ length: 1_000 }, (_, index) => ({ name: `Thing ${index}`, qrId: `tgt-thing-${index}` }));

it('encodes each of 1,000 codes once, however often the look or the size changes', () => {
  const encoded: string[] = [];
  const design = createDesigner('https://lost.example.org', (link) => {
    encoded.push(link);
    return encodeLink(link);
  });
  design(chosen, DESIGN);
  expect(new Set(encoded).size).toBe(1_000);
  for (const own of ['Da', 'Dan', 'Dana']) design(chosen, { ...DESIGN, texts: { own } });
  design(chosen, { ...DESIGN, format: plainPaper('a4', 'large'), logo: { width: 3, height: 1 } });
  design(chosen.slice(0, 10), { ...DESIGN, hasTypedCode: false });
  expect(encoded).toHaveLength(1_000);
});

it('draws what it would draw without codes that it has kept', () => {
  const design = createDesigner('https://lost.example.org');
  const some = chosen.slice(0, 3);
  design(some, { ...DESIGN, format: plainPaper('a4', 'extraLarge') });
  const fresh = createDesigner('https://lost.example.org')(some, DESIGN);
  expect(design(some, DESIGN)).toEqual(fresh);
  expect(fresh.map(({ id, content }) => [id, content.link, content.texts.own])).toEqual(
    some.map(({ qrId }) => [qrId, `https://lost.example.org/${qrId}`, 'D']),
  );
});
