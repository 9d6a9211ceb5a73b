/** A box of a QuickTime file: others, or bytes. Its header may lie about its length. */
export interface Box {
  type: string;
  content: Box[] | Buffer;
  /** Added to the length that its header tells, bytes. */
  lie: number;
}

const containers = ['moov', 'trak', 'edts', 'mdia', 'minf', 'dinf', 'stbl'];

export function box(type: string, content: Box[] | Buffer): Box {
  return { type, content, lie: 0 };
}

/** Of a sound file with short headers. */
export function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + length);
    boxes.push(box(type, containers.includes(type) ? boxesOf(content) : Buffer.from(content)));
    at += length;
  }
  return boxes;
}

export function bytesOf(boxes: readonly Box[]): Buffer {
  return Buffer.concat(
    boxes.flatMap(({ type, content, lie }) => {
      const bytes = Array.isArray(content) ? bytesOf(content) : content;
      const header = Buffer.alloc(8);
      header.writeUInt32BE((bytes.length + 8 + lie) >>> 0);
      header.write(type, 4, 'latin1');
      return [header, bytes];
    }),
  );
}

/** All boxes, each before those that it holds. */
export function everyBox(boxes: readonly Box[]): Box[] {
  return boxes.flatMap((each) => [each, ...(Array.isArray(each.content) ? everyBox(each.content) : [])]);
}
