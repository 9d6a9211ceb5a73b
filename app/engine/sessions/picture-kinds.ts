/** The kinds of pictures that a report can show, by what a file of them begins with. */
export interface PictureKind {
  extension: string;
  mimeType: string;
  isKind(head: Buffer): boolean;
}

export const pictureHeadBytes = 12;

const beginsWith =
  (...bytes: number[]) =>
  (head: Buffer): boolean =>
    head.subarray(0, bytes.length).equals(Buffer.from(bytes));

const pictureKinds: readonly PictureKind[] = [
  {
    extension: '.png',
    mimeType: 'image/png',
    isKind: beginsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  },
  { extension: '.jpg', mimeType: 'image/jpeg', isKind: beginsWith(0xff, 0xd8, 0xff) },
  {
    extension: '.webp',
    mimeType: 'image/webp',
    isKind: (head) =>
      head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === 'WEBP',
  },
];

/** Of a file's first bytes, whatever it is called; undefined for anything else. */
export function pictureKindOf(head: Buffer): PictureKind | undefined {
  return pictureKinds.find(({ isKind }) => isKind(head));
}
