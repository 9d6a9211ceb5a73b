import { type Box, box, boxesOf, bytesOf, everyBox } from './movie-boxes';
import type { Random } from './random';

/**
 * A Hap movie whose index another writer could have written, or a careless one: one to three changes in its `moov`. Chunks stay
 * where they are, also where `moov` comes first and grows.
 */
export function mutatedMovie(movie: Buffer, random: Random): { bytes: Buffer; changes: string[] } {
  const boxes = boxesOf(movie);
  const moov = boxes.find(({ type }) => type === 'moov');
  if (!moov) throw new Error('a movie without moov');
  const length = bytesOf([moov]).length;
  const isFirst = boxes.indexOf(moov) < boxes.findIndex(({ type }) => type === 'mdat');
  const changes = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () =>
    random.pick(mutations)(moov, random),
  );
  if (isFirst) moveChunks(moov, bytesOf([moov]).length - length);
  return { bytes: bytesOf(boxes), changes };
}

/** Changes something in the boxes, and says what. */
type Mutation = (moov: Box, random: Random) => string;

/** Mostly of the track of pictures. */
function track(moov: Box, random: Random): Box[] {
  const tracks = inside(moov).filter(({ type }) => type === 'trak');
  const pictures = tracks.filter((trak) => everyBox([trak]).some(({ type }) => type === 'vmhd'));
  return everyBox([random.pick(random.chance(0.1) || pictures.length === 0 ? [moov, ...tracks] : pictures)]);
}

function inside({ content }: Box): Box[] {
  return Array.isArray(content) ? content : [];
}

const leaf = ({ content }: Box): boolean => !Array.isArray(content);
const likely = [
  'stts',
  'stsc',
  'stsz',
  'stco',
  'co64',
  'elst',
  'mdhd',
  'mvhd',
  'tkhd',
  'stsd',
  'dref',
  'hdlr',
];

/** A number in a box that ffmpeg reads. */
const number: Mutation = (moov, random) => {
  const boxes = [...track(moov, random), ...inside(moov)].filter(
    (each) => leaf(each) && likely.includes(each.type),
  );
  const { type, content } = random.pick(boxes);
  const bytes = content as Buffer;
  const at = 4 * random.whole(0, Math.floor(bytes.length / 4) - 1);
  const old = bytes.readUInt32BE(at);
  const values = [0, 1, 2, old + 1, old - 1, 2 * old, Math.floor(old / 2), random.whole(0, 40)];
  const large = [0xffffffff, 0x7fffffff, 0x80000000, random.whole(0, 0xffffffff)];
  const value = random.pick([...values, ...values, ...large]) >>> 0;
  bytes.writeUInt32BE(value, at);
  return `${type}+${at}: ${old} → ${value}`;
};

const tables: Record<string, { head: number; entry: number }> = {
  stts: { head: 4, entry: 8 },
  stsc: { head: 4, entry: 12 },
  stsz: { head: 8, entry: 4 },
  stco: { head: 4, entry: 4 },
  co64: { head: 4, entry: 8 },
  elst: { head: 4, entry: 12 },
};

function table(moov: Box, random: Random, types = Object.keys(tables)) {
  const boxes = track(moov, random).filter(({ type, content }) => types.includes(type) && content.length > 0);
  const chosen = boxes.length > 0 ? random.pick(boxes) : undefined;
  const shape = tables[chosen?.type ?? ''];
  if (!chosen || !shape) return undefined;
  return { chosen, ...shape, bytes: chosen.content as Buffer };
}

/** An entry more or less, with its count, or without. */
const entry: Mutation = (moov, random) => {
  const found = table(moov, random);
  if (!found || found.bytes.length < found.head + 4 + found.entry) return 'nothing';
  const { chosen, bytes, head, entry: each } = found;
  const entries = Math.floor((bytes.length - head - 4) / each);
  const begin = head + 4 + each * random.pick([0, entries - 1, random.whole(0, entries - 1)]);
  const change = random.pick(['less', 'more', 'zeros']);
  const one = change === 'zeros' ? Buffer.alloc(each) : bytes.subarray(begin, begin + each);
  const isCounted = random.chance(0.7);
  const rest = bytes.subarray(change === 'less' ? begin + each : begin);
  const content = Buffer.concat([bytes.subarray(0, begin), ...(change === 'less' ? [] : [one]), rest]);
  const count = content.readUInt32BE(head) + (change === 'less' ? -1 : 1);
  if (isCounted) content.writeUInt32BE(count >>> 0, head);
  chosen.content = content;
  return `${chosen.type}: entry at ${begin} ${change}${isCounted ? '' : ', not counted'}`;
};

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index);
  return bytes;
}

function counted(entries: number[][], ...head: number[]): Buffer {
  return Buffer.concat([numbers(...head, entries.length), ...entries.map((each) => numbers(...each))]);
}

/** Other durations, some of them uneven, too few or too many. */
const durations: Mutation = (moov, random) => {
  const found = table(moov, random, ['stts']);
  if (!found) return 'nothing';
  const ticks = found.bytes.length >= 16 ? found.bytes.readUInt32BE(12) : 1;
  const entries = Array.from({ length: random.whole(1, 5) }, () => [
    random.whole(0, 8),
    random.pick([ticks, ticks, ticks, ticks + 1, ticks - 1, 0, 1, 2 * ticks, random.whole(0, 3 * ticks)]),
  ]);
  found.chosen.content = counted(entries, 0);
  return `stts: ${JSON.stringify(entries)}`;
};

/** The same samples in other chunks, or nearly so. */
const chunks: Mutation = (moov, random) => {
  const found = table(moov, random, ['stsc']);
  if (!found) return 'nothing';
  let first = random.pick([1, 1, 1, 1, 0, 2]);
  const entries = Array.from({ length: random.whole(1, 4) }, () => {
    const each = [first, random.pick([1, 1, 2, 3, 4, 12, 0]), random.pick([1, 1, 1, 1, 1, 2, 0])];
    first += random.pick([1, 1, 2, 3, 6, 0]);
    return each;
  });
  found.chosen.content = counted(entries, 0);
  return `stsc: ${JSON.stringify(entries)}`;
};

/** One to three pieces of the track, at times between its frames and at them, sometimes a pause or another speed. */
const edits: Mutation = (moov, random) => {
  const mvhd = inside(moov).find(({ type }) => type === 'mvhd')?.content as Buffer | undefined;
  const found = table(moov, random, ['elst']);
  if (!found || !mvhd) return 'nothing';
  const movieScale = mvhd.readUInt32BE(12);
  const mdhd = track(moov, random).find(({ type }) => type === 'mdhd')?.content as Buffer | undefined;
  const trackScale = mdhd && mdhd.length >= 16 ? mdhd.readUInt32BE(12) : movieScale;
  const entries = Array.from({ length: random.whole(0, 3) }, () => {
    const frame = random.whole(0, 13) / 29.97;
    const frames = random.whole(0, 13) / 29.97;
    const start = random.pick([
      0,
      frame * trackScale,
      frame * trackScale,
      random.whole(0, trackScale),
      -1,
      -2,
    ]);
    const duration = random.pick([frames * movieScale, frames * movieScale, random.whole(0, movieScale)]);
    return [
      Math.round(duration),
      Math.round(start),
      random.pick([65536, 65536, 65536, 65536, 65536, 0, 131072]),
    ];
  });
  found.chosen.content = counted(entries, 0);
  return `elst: ${JSON.stringify(entries)}`;
};

/** Offsets of 64 bits for those of 32. */
const wide: Mutation = (moov, random) => {
  const found = table(moov, random, ['stco']);
  if (!found) return 'nothing';
  const { chosen, bytes } = found;
  const offsets = Array.from({ length: Math.floor(bytes.length / 4) - 2 }, (_, at) =>
    bytes.readUInt32BE(8 + 4 * at),
  );
  chosen.type = 'co64';
  chosen.content = counted(
    offsets.map((offset) => [0, offset]),
    0,
  );
  return 'co64';
};

/** Chunks lie elsewhere: where others do, before, after, beyond the end. */
const places: Mutation = (moov, random) => {
  const found = table(moov, random, ['stco']);
  if (!found || found.bytes.length < 12) return 'nothing';
  const { bytes } = found;
  const at = 8 + 4 * random.whole(0, Math.floor(bytes.length / 4) - 3);
  const other = bytes.readUInt32BE(8 + 4 * random.whole(0, Math.floor(bytes.length / 4) - 3));
  const value = random.pick([
    other,
    other,
    bytes.readUInt32BE(at) - 2 ** 31,
    other + random.whole(-700, 700),
  ]);
  bytes.writeUInt32BE(value >>> 0, at);
  return `stco+${at}: ${value >>> 0}`;
};

/** One size for all. */
const sizes: Mutation = (moov, random) => {
  const found = table(moov, random, ['stsz']);
  if (!found || found.bytes.length < 16) return 'nothing';
  const { chosen, bytes } = found;
  const count = bytes.readUInt32BE(8);
  chosen.content = numbers(
    0,
    bytes.readUInt32BE(12 + 4 * random.whole(0, 1)) + random.pick([0, 0, 1, 8]),
    count,
  );
  return 'stsz: one size';
};

function holder(moov: Box, random: Random): Box {
  return random.pick([moov, ...track(moov, random)].filter((each) => !leaf(each)));
}

/** A box more: padding, zeros, something that is not known, one that is there already. */
const more: Mutation = (moov, random) => {
  const parent = holder(moov, random);
  const boxes = inside(parent);
  const copied = boxes.length > 0 ? [structuredCopy(random.pick(boxes))] : [];
  const unknown = box(
    random.pick(['free', 'zzzz', 'udta', 'wide', '©nam']),
    Buffer.alloc(random.whole(0, 20)),
  );
  const zeros = Array.from({ length: random.whole(1, 3) }, () => ({
    ...box('\0\0\0\0', Buffer.alloc(0)),
    lie: -8,
  }));
  const added = random.pick<Box[]>([[unknown], [unknown], zeros, copied]);
  const at = random.pick([0, boxes.length, boxes.length, random.whole(0, boxes.length)]);
  boxes.splice(at, 0, ...added);
  return `${parent.type}: ${added.map(({ type }) => JSON.stringify(type))} at ${at}`;
};

function structuredCopy({ type, content, lie }: Box): Box {
  return { type, content: Array.isArray(content) ? content.map(structuredCopy) : Buffer.from(content), lie };
}

/** A box less. */
const less: Mutation = (moov, random) => {
  const parent = holder(moov, random);
  const boxes = inside(parent);
  if (boxes.length === 0) return 'nothing';
  const [gone] = boxes.splice(random.whole(0, boxes.length - 1), 1);
  return `${parent.type}: no ${gone?.type}`;
};

/** Boxes in another order. */
const order: Mutation = (moov, random) => {
  const parent = holder(moov, random);
  const boxes = inside(parent);
  boxes.push(...boxes.splice(random.whole(0, boxes.length), 1));
  return `${parent.type}: ${boxes.map(({ type }) => type)}`;
};

/** Bytes after what a box needs, zeros as QuickTime writes them among them, or too few of them. */
const length: Mutation = (moov, random) => {
  const chosen = random.pick([...track(moov, random), ...inside(moov)].filter(leaf));
  const bytes = chosen.content as Buffer;
  const by = random.pick([1, 4, 4, 8, 8, 12, 40, -1, -4, -8]);
  chosen.content =
    by < 0 ? bytes.subarray(0, Math.max(0, bytes.length + by)) : Buffer.concat([bytes, Buffer.alloc(by)]);
  return `${chosen.type}: ${by} bytes`;
};

/** A header that tells another length. */
const lie: Mutation = (moov, random) => {
  const chosen = random.pick([...track(moov, random), ...inside(moov)]);
  chosen.lie = random.pick([-8, -4, -1, 1, 4, 8, 1000]);
  return `${chosen.type}: says ${chosen.lie} bytes more`;
};

const mutations: readonly Mutation[] = [
  ...[number, number, number, number, entry, entry, durations, durations, chunks, chunks],
  ...[edits, edits, wide, places, sizes, more, more, less, order, length, lie],
];

function moveChunks(moov: Box, by: number): void {
  for (const { type, content } of everyBox([moov])) {
    if (Array.isArray(content) || (type !== 'stco' && type !== 'co64')) continue;
    const [step, low] = type === 'stco' ? [4, 0] : [8, 4];
    for (let at = 8 + low; at + 4 <= content.length; at += step)
      content.writeUInt32BE((content.readUInt32BE(at) + by) >>> 0, at);
  }
}
