import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A plain picture of one color; sizes in pixels. */
export function aPicture(width = 40, height = 30, background = '#2a7'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** A JPEG as from a camera, held sideways, with its location in the metadata. */
export function aCameraPicture(secret: string): Promise<Buffer> {
  const [left, right] = [aPicture(40, 60, '#f00'), aPicture(40, 60, '#00f')];
  return Promise.all([left.png().toBuffer(), right.png().toBuffer()]).then(([red, blue]) =>
    aPicture(80, 60)
      .composite([
        { input: red, left: 0, top: 0 },
        { input: blue, left: 40, top: 0 },
      ])
      .withExif({
        IFD0: { Copyright: secret, Artist: secret },
        IFD3: { GPSLatitude: '32/1 4/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer(),
  );
}

/** Returns a name that the picture buckets accept: meaningless and unguessable. */
export function aPictureName(): string {
  return `${crypto.randomUUID().replaceAll('-', '')}.webp`;
}

/** A WebP of two frames. */
export async function anAnimation(): Promise<Buffer> {
  const frames = await Promise.all([aPicture(8, 8, '#f00').png().toBuffer(), aPicture(8, 8, '#00f').png().toBuffer()]);
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
}

/** Returns a square PNG with one bit per pixel, whose file is far smaller than its decoded size. */
export function aBarePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit, gray.
  header.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((Math.ceil(side / 8) + 1) * side);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
