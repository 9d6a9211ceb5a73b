import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notHap } from '../../../testing/movie-facts';
import { temporaryFolder } from '../../../testing/temporary-folder';
import { inspectMovie } from './movie';

const folder = temporaryFolder();
/** Nothing of it is Hap. */
const host = { request: async () => notHap };

/** A control byte, so that no look at the first bytes takes them for a text. */
const playlists = {
  hls: (path: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#\u0001\n#EXTINF:1,\n${path}\n#EXT-X-ENDLIST\n`,
  concat: (path: string) => `ffconcat version 1.0\n#\u0001\nfile ${path}\n`,
};

test.each(Object.keys(playlists) as (keyof typeof playlists)[])(
  'a playlist (%s) that names a movie elsewhere is no movie',
  async (kind) => {
    const elsewhere = join(folder, 'elsewhere.ts');
    const picture = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10:duration=1'];
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...picture, '-c:v', 'mpeg2video', elsewhere]);
    const playlist = join(folder, `${kind}.mov`);
    writeFileSync(playlist, playlists[kind](elsewhere));
    await expect(inspectMovie(playlist, host)).rejects.toThrow(/cannot be read|no movie|not/i);
  },
);
