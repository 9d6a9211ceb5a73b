import { join } from 'node:path';
import { contentFolder } from '../../engine/content/folder';
import type { ContentClip, Manifest } from '../../engine/content/manifest';
import { type ClipSettings, checkSettings, clipPath, framesOf } from '../../engine/content/recipe';
import { badInput } from '../../protocol/errors';
import { formatText, parseRate, parseSize, type VideoFormat } from '../../protocol/format';
import { parseSource } from '../../protocol/source-spec';
import type { CodecQualityParameters } from './declaration';

export interface Size {
  width: number;
  height: number;
}

/** A clip of the battery at one size. */
export interface BatteryClip {
  clip: ContentClip;
  settings: ClipSettings;
  folder: string;
  path: string;
}

/** One row: what is sent. */
export interface QualityCase {
  /** For people. */
  name: string;
  /** white-line, noise, or the path of a movie; of a crop, the movie that it is cut out of. */
  source: string;
  /** Of a generated source. */
  format: string;
  /** Null for the full picture. */
  crop: Size | null;
  /** Null for what is not of the battery. */
  clip: BatteryClip | null;
}

/** The battery's clips that are wanted. @throws WhitelineError BAD_INPUT for a name that none has */
export function wantedClips({ clips, sources }: CodecQualityParameters, manifest: Manifest): ContentClip[] {
  if (clips.length === 0) return sources.length === 0 ? manifest.clips : [];
  return clips.map((name) => {
    const clip = manifest.clips.find((candidate) => candidate.name === name);
    if (clip) return clip;
    const known = manifest.clips.map((candidate) => candidate.name).join(', ');
    throw badInput(
      'clips',
      `names out of ${known}`,
      name,
      'See docs/content.md for what each of them stresses',
    );
  });
}

/**
 * The rows in their order: each clip at each size, then each source, each full and then its crops.
 * @param formatOf own format of a movie
 * @throws WhitelineError BAD_INPUT for what cannot be made or cut
 */
export function casesOf(
  parameters: CodecQualityParameters,
  manifest: Manifest,
  formatOf: ReadonlyMap<string, VideoFormat>,
): QualityCase[] {
  const sizes = parameters.sizes.map((size) => parseSize(size, 'sizes'));
  const crops = parameters.crops.map((size) => parseSize(size, 'crops'));
  const rate = parseRate(parameters.rate);
  const withCrops = (full: QualityCase, { width, height }: Size): QualityCase[] => [
    full,
    ...crops.map((crop) => {
      if (crop.width <= width && crop.height <= height)
        return { ...full, crop, name: nameOfCrop(full.name, crop) };
      const most = `at most ${width}x${height}, the size of ${full.name}`;
      throw badInput('crops', most, sizeText(crop), 'Choose a smaller part, or larger pictures');
    }),
  ];
  const clips = wantedClips(parameters, manifest).flatMap((clip) =>
    sizes.flatMap((size) => {
      const format = { ...size, rate };
      const battery = batteryClip(clip, parameters, format);
      const name = `${clip.name} ${formatText(format)}`;
      return withCrops(
        { name, source: battery.path, format: formatText(format), crop: null, clip: battery },
        size,
      );
    }),
  );
  const sources = parameters.sources.flatMap((source) => {
    if (parseSource(source, 'sources').kind !== 'movie') {
      return sizes.map((size): QualityCase => {
        const format = formatText({ ...size, rate });
        return { name: `${source} ${format}`, source, format, crop: null, clip: null };
      });
    }
    const format = formatOf.get(source);
    if (!format) throw new Error(`${source} was not inspected`);
    const text = formatText(format);
    return withCrops({ name: `${source} ${text}`, source, format: text, crop: null, clip: null }, format);
  });
  return [...clips, ...sources];
}

export function sizeText({ width, height }: Size): string {
  return `${width}x${height}`;
}

function nameOfCrop(name: string, crop: Size): string {
  return `${name}, its middle ${sizeText(crop)}`;
}

function batteryClip(
  clip: ContentClip,
  parameters: CodecQualityParameters,
  format: VideoFormat,
): BatteryClip {
  const settings: ClipSettings = {
    format,
    seconds: parameters.clipLengthSeconds,
    variant: 'hap_q',
    chunks: 8,
  };
  checkSettings(settings);
  const folder = parameters.contentFolder ?? contentFolder();
  return { clip, settings, folder, path: clipPath(folder, clip, settings) };
}

/** Frames of a clip that are compared with what it was made from, spread evenly over it. */
export function clipFrames({ settings }: BatteryClip, wanted: number): number[] {
  return spread(0, framesOf(settings), wanted);
}

/** `wanted` numbers of a range, spread evenly; all of them if there are fewer. */
export function spread(first: number, count: number, wanted: number): number[] {
  const taken = Math.min(wanted, count);
  return Array.from({ length: taken }, (_, index) => first + Math.floor(((index + 0.5) * count) / taken));
}

/** Raw pictures of the open row; gone once the row is there. */
export function pairsFolder(runFolder: string): string {
  return join(runFolder, 'pairs');
}
