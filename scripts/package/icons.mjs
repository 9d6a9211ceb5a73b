import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mustRun } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';

const drawing = path.join(rootFolder, 'scripts/package/icon.svg');
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
/** Windows shows none above 256; macOS names each size by a type of its own. */
const windowsSizes = sizes.filter((size) => size <= 256);
const macTypes = { 16: 'icp4', 32: 'icp5', 64: 'icp6', 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' };

/** Draws the icon in every size, and binds the sizes together as Windows and macOS want them. */
export async function drawIcons(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pictures = new Map();
  for (const size of sizes) pictures.set(size, await draw(size, path.join(folder, `${size}x${size}.png`)));
  writeFileSync(
    path.join(folder, 'icon.ico'),
    windowsIcon(windowsSizes.map((size) => [size, pictures.get(size)])),
  );
  const macPictures = Object.entries(macTypes).map(([size, type]) => [type, pictures.get(Number(size))]);
  writeFileSync(path.join(folder, 'icon.icns'), macIcon(macPictures));
}

async function draw(size, file) {
  const decoder = ['-c:v', 'librsvg', '-width', String(size), '-height', String(size)];
  await mustRun('ffmpeg', ['-v', 'error', '-y', ...decoder, '-i', drawing, '-pix_fmt', 'rgba', file], {
    failure: 'the icon could not be drawn',
    remedy: "use an ffmpeg that draws SVG: Debian's does, `ffmpeg -decoders` lists librsvg",
  });
  return readFileSync(file);
}

/** ICO: a header, one entry of 16 bytes for each picture, then the pictures as PNG. */
export function windowsIcon(pictures) {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, [size, png]] of pictures.entries()) {
    const entry = 6 + 16 * index;
    // 256 is written as 0.
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(([, png]) => png)]);
}

/** ICNS: a type of four letters and a length before the whole and before each PNG. */
export function macIcon(pictures) {
  const chunk = (type, content) => {
    const head = Buffer.alloc(8);
    head.write(type, 0, 'latin1');
    head.writeUInt32BE(content.length + head.length, 4);
    return Buffer.concat([head, content]);
  };
  return chunk('icns', Buffer.concat(pictures.map(([type, png]) => chunk(type, png))));
}
