import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice, NoticeId } from './about';

/** Where each text stands: in a checkout, or in a package beside the app's archive. */
const places: Record<NoticeId, readonly string[]> = {
  licence: ['LICENSE', 'licences/LICENSE'],
  notice: ['NOTICE', 'licences/NOTICE'],
  libraries: ['dist/licences/third-party.txt', 'licences/third-party.txt'],
  ndi: [
    `node_modules/@grandi/${process.platform}-${process.arch}/libndi_licenses.txt`,
    'ndi/libndi_licenses.txt',
  ],
};

/** @param folder the checkout, or the folder of a packaged app's resources */
export function readNotices(folder: string): Notice[] {
  const ids = Object.keys(places) as NoticeId[];
  return ids.map((id) => ({ id, text: firstText(places[id].map((place) => join(folder, place))) }));
}

function firstText(paths: string[]): string | null {
  for (const path of paths) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // A checkout has it elsewhere than a package.
    }
  }
  return null;
}
