import { readdirSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';

const sourcePattern = /\.(?:cc|h)$/;
const foreignPattern = /^(?:build|build-[^/]+|third_party)\//;

/** Our own C++ files under native/, relative to the checkout. */
export function nativeSourceFiles() {
  return readdirSync(path.join(rootFolder, 'native'), { recursive: true })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => sourcePattern.test(name) && !foreignPattern.test(name))
    .map((name) => `native/${name}`)
    .sort();
}
