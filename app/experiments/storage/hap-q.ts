import type { Manifest } from '../../engine/content/manifest';
import { badInput } from '../../protocol/errors';
import { formatText, framesPerSecond, parseFormat, parseSize } from '../../protocol/format';
import type { StorageParameters } from './declaration';

/** What one Hap Q movie needs of a disk. */
export interface HapQNeed {
  format: string;
  megabytesPerSecond: number;
  /** What was assumed, in words. */
  assumption: string;
}

/** Hap Q keeps a picture as blocks of 4×4 pixels, 16 bytes each, before Snappy makes them smaller. */
const blockPixels = 4;
const blockBytes = 16;

function blockBytesPerSecond(width: number, height: number, rate: number): number {
  const blocks = Math.ceil(width / blockPixels) * Math.ceil(height / blockPixels);
  return blocks * blockBytes * rate;
}

/**
 * Without a clip: the most that Hap Q can need. With one: its measured bitrate, in proportion to pixels and frame rate.
 * @throws WhitelineError BAD_INPUT for a clip that the battery does not have, or whose bitrate was not measured
 */
export function hapQNeed(
  { format, clip }: Pick<StorageParameters, 'format' | 'clip'>,
  readManifest: () => Manifest,
): HapQNeed {
  const { width, height, rate } = parseFormat(format);
  const text = formatText({ width, height, rate });
  const most = blockBytesPerSecond(width, height, framesPerSecond(rate)) / 1e6;
  if (clip === undefined) {
    const assumption = '1 byte per pixel, the most that Hap Q needs';
    return { format: text, megabytesPerSecond: most, assumption };
  }
  const { clips, measured } = readManifest();
  const found = clips.find(({ name }) => name === clip);
  if (!found || 'notMeasured' in found.hapQ) {
    const known = clips.filter(({ hapQ }) => !('notMeasured' in hapQ)).map(({ name }) => name);
    throw badInput(
      'clip',
      `one of ${known.join(', ')}`,
      clip,
      'Only clips with a measured bitrate can be used',
    );
  }
  const { hapQ } = measured;
  const size = parseSize(hapQ.size, 'size');
  const share = (found.hapQ.bitrateMbps * 1e6) / 8 / blockBytesPerSecond(size.width, size.height, hapQ.rate);
  const assumption = `the bitrate of ${clip}, measured at ${hapQ.size}@${hapQ.rate}, by pixels and frame rate`;
  return { format: text, megabytesPerSecond: most * share, assumption };
}

/** Movies that a sequential read rate is enough for. */
export function hapQStreams(megabytesPerSecond: number, need: HapQNeed): number {
  return Math.floor(megabytesPerSecond / need.megabytesPerSecond);
}
