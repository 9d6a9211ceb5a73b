import { snappyCompress } from './snappy.mjs';

// Sections of a frame as the Hap specification (Vidvox, HapVideoDRAFT.md) numbers them.
const multipleImages = 0x0d;
const decodeInstructions = 0x01;
const compressorTable = 0x02;
const sizeTable = 0x03;
const offsetTable = 0x04;
const unknownTable = 0x70;
const chunkCompressors = { none: 0x0a, snappy: 0x0b };
const imageCompressors = { none: 0xa0, snappy: 0xb0, chunks: 0xc0 };

/**
 * A Hap frame of one or two textures.
 *
 * `structure`: `compressor` none, snappy or chunks; `headerBytes` 4 or 8; for chunks `chunks` (how many),
 * `compressors` (one a chunk in turn), `isUneven` (cut at bytes that are no block's edge), `hasOffsets` (with
 * an offset table, and the chunks then lie in reverse order), `hasUnknownTable`; for two textures
 * `isAlphaFirst`.
 */
export function hapFrame(textures, structure) {
  const images = textures.map((texture) => imageSection(texture, structure));
  return images.length === 1
    ? images[0]
    : section(
        multipleImages,
        Buffer.concat(structure.isAlphaFirst ? images.reverse() : images),
        structure.headerBytes,
      );
}

function imageSection({ typeNibble, bytes }, structure) {
  const type = imageCompressors[structure.compressor] | typeNibble;
  return section(type, imagePayload(bytes, structure), structure.headerBytes);
}

function imagePayload(texture, structure) {
  if (structure.compressor === 'none') return texture;
  if (structure.compressor === 'snappy') return snappyCompress(texture);
  const chunks = cutTexture(texture, structure).map((bytes, index) => {
    const compressor = structure.compressors[index % structure.compressors.length];
    return { compressor, bytes: compressor === 'snappy' ? snappyCompress(bytes) : bytes };
  });
  const { offsets, data } = layChunks(chunks, structure);
  return Buffer.concat([instructions(chunks, offsets, structure), data]);
}

/** Even pieces, or pieces of which each is an odd number of bytes longer than the one before. */
function cutTexture(texture, { chunks, isUneven }) {
  const weights = Array.from({ length: chunks }, (_, index) => (isUneven ? index + 1 : 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let cut = 0;
  return weights.map((weight, index) => {
    const start = cut;
    const size = Math.floor((texture.length * weight) / total) | (isUneven ? 1 : 0);
    cut = index === chunks - 1 ? texture.length : start + size;
    return texture.subarray(start, cut);
  });
}

function layChunks(chunks, { hasOffsets }) {
  const inFileOrder = hasOffsets ? [...chunks].reverse() : chunks;
  const offsetOf = new Map();
  let offset = 0;
  for (const chunk of inFileOrder) {
    offsetOf.set(chunk, offset);
    offset += chunk.bytes.length;
  }
  return {
    offsets: chunks.map((chunk) => offsetOf.get(chunk)),
    data: Buffer.concat(inFileOrder.map((chunk) => chunk.bytes)),
  };
}

function instructions(chunks, offsets, { headerBytes, hasOffsets, hasUnknownTable }) {
  const compressors = chunks.map((chunk) => chunkCompressors[chunk.compressor]);
  const sizes = chunks.map((chunk) => chunk.bytes.length);
  const tables = [section(compressorTable, Uint8Array.from(compressors), headerBytes)];
  if (hasUnknownTable) tables.push(section(unknownTable, Buffer.from('skip me'), headerBytes));
  tables.push(section(sizeTable, wordsOf(sizes), headerBytes));
  if (hasOffsets) tables.push(section(offsetTable, wordsOf(offsets), headerBytes));
  return section(decodeInstructions, Buffer.concat(tables), headerBytes);
}

function wordsOf(numbers) {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => {
    bytes.writeUInt32LE(number, index * 4);
  });
  return bytes;
}

/** A header of 8 bytes has zero for its short length. */
function section(type, payload, headerBytes) {
  const header = Buffer.alloc(headerBytes);
  header[3] = type;
  if (headerBytes === 8) header.writeUInt32LE(payload.length, 4);
  else header.writeUIntLE(payload.length, 0, 3);
  return Buffer.concat([header, payload]);
}
