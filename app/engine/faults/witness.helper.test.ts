import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { faultVerbs } from '../../protocol/records';
import { isSpoiling } from './expected-counts';

/** What native/bench/ndi_witness.cc prints. */
interface Witnessed {
  frames: number;
  lost: number;
  witnessPercent: number;
  falseAlarms: number;
  mustFind: number;
  found: number;
  otherKind: number;
}

const program = resolve('native/build-test-plain/ndi_witness');
const bundled = resolve('node_modules/@grandi/linux-x64');
const library = process.env.WHITELINE_NDI_PATH || bundled;
const battery = [
  ...['white-line', 'flares', 'noise', 'particles', 'zone-plate', 'text-crawl'],
  ...['gradients', 'shader', 'cuts', 'black', 'live-action-like'],
];

async function witnessed(content: string, size: string, frames: number, fault?: string): Promise<Witnessed> {
  const options = ['--content', content, '--size', size, '--frames', String(frames)];
  if (fault) options.push('--fault', fault);
  const { stdout } = await promisify(execFile)(program, ['--library', library, ...options]);
  return JSON.parse(stdout) as Witnessed;
}

test('the program that sends and judges real NDI was built', () => {
  expect(existsSync(program)).toBe(true);
});

test.each(battery)('2,000 clean frames of %s over real NDI are whole', async (content) => {
  const { frames, falseAlarms } = await witnessed(content, '640x360', 2000);
  expect(falseAlarms).toBe(0);
  expect(frames).toBeGreaterThan(1900);
});

const verbs = faultVerbs.filter(isSpoiling);
const spoiltPictures = [
  ...verbs.flatMap((verb) => ['noise', 'flares', 'white-line'].map((content) => [verb, content, '640x360'])),
  ...(['tear-middle', 'stale-band', 'green'] as const).flatMap((verb) =>
    ['noise', 'flares', 'white-line'].map((content) => [verb, content, '1920x1080']),
  ),
  ['swap-chroma', 'orange', '640x360'],
];

test.each(spoiltPictures)(
  '%s in %s at %s over real NDI is found',
  async (verb = '', content = '', size = '') => {
    const { mustFind, found, falseAlarms, otherKind } = await witnessed(
      content,
      size,
      size === '640x360' ? 200 : 60,
      verb,
    );
    expect({ found, falseAlarms, otherKind }).toEqual({ found: mustFind, falseAlarms: 0, otherKind: 0 });
    // Exchanged chroma shows where U and V differ.
    if (verb !== 'swap-chroma' || content === 'orange') expect(mustFind).toBeGreaterThan(0);
  },
);
