import { jpegSize, type PictureSize, pngSize, webpSize } from './picture-size';

/** The kinds of pictures that a report can show, by what a file of them begins with. */
export interface PictureKind {
  extension: string;
  mimeType: string;
  isKind(bytes: Buffer): boolean;
  /** Null: the file is not whole. */
  sizeOf(bytes: Buffer): PictureSize | null;
}

const beginsWith =
  (...bytes: number[]) =>
  (head: Buffer): boolean =>
    head.subarray(0, bytes.length).equals(Buffer.from(bytes));

const pictureKinds: readonly PictureKind[] = [
  {
    extension: '.png',
    mimeType: 'image/png',
    isKind: beginsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    sizeOf: pngSize,
  },
  { extension: '.jpg', mimeType: 'image/jpeg', isKind: beginsWith(0xff, 0xd8, 0xff), sizeOf: jpegSize },
  {
    extension: '.webp',
    mimeType: 'image/webp',
    isKind: (head) =>
      head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === 'WEBP',
    sizeOf: webpSize,
  },
];

/** Of what a file holds, whatever it is called; undefined for anything else. */
export function pictureKindOf(bytes: Buffer): PictureKind | undefined {
  return pictureKinds.find(({ isKind }) => isKind(bytes));
}
