import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { contentBattery } from './battery';
import { readManifest } from './manifest';
import { clipPath } from './recipe';

const folder = temporaryFolder();
const manifest = readManifest(resolve('.'));
const rate = { numerator: 60000, denominator: 1001 };

test('every clip is reported, with what was made of it', () => {
  const clip = manifest.clips.find(({ name }) => name === 'zone-plate');
  if (!clip) throw new Error('the battery has lost its zone plate');
  const settings = { seconds: 10, variant: 'hap_q', chunks: 8 } as const;
  const small = clipPath(folder, clip, { ...settings, format: { width: 640, height: 360, rate } });
  const large = clipPath(folder, clip, { ...settings, format: { width: 1920, height: 1080, rate } });
  writeFileSync(small, Buffer.alloc(10));
  writeFileSync(large, Buffer.alloc(20));
  writeFileSync(`${large}.partial`, Buffer.alloc(30));
  writeFileSync(join(folder, 'holiday-640x360-30-10s-hap_q-8.mov'), Buffer.alloc(30));
  const { clips, ...battery } = contentBattery(manifest, folder);
  expect(battery.folder).toBe(resolve(folder));
  expect(clips.map(({ name }) => name)).toEqual(manifest.clips.map(({ name }) => name));
  expect(clips.filter(({ files }) => files.length > 0)).toEqual([
    {
      name: 'zone-plate',
      stresses: clip.stresses,
      files: [
        { ...settings, path: large, format: '1920x1080@59.94', bytes: 20 },
        { ...settings, path: small, format: '640x360@59.94', bytes: 10 },
      ],
    },
  ]);
});

test('a folder that is not there yet holds none', () => {
  const { clips } = contentBattery(manifest, join(folder, 'nowhere'));
  expect(clips.every(({ files }) => files.length === 0)).toBe(true);
});
