import { execFile, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';

/** A frame as it is shown: where it lies, bytes, and when it begins, in ticks after the first. */
export type ReadFrame = readonly [offset: number, bytes: number, startTicks: number];

export interface OwnReading {
  timeScale: number;
  durationTicks: number;
  samples: ReadFrame[];
  /** Frames that cannot be decoded. */
  damaged: number[];
}

const refusal = z.object({ refusal: z.string() });
const reading = z.object({
  timeScale: z.number(),
  durationTicks: z.number(),
  samples: z.array(z.tuple([z.number(), z.number(), z.number()])),
  damaged: z.array(z.number()),
});
const line = z.union([refusal, reading]);

/** How Whiteline reads each of the movies (native/tests/tools/hap_index.cc), or why it refuses it. */
export async function readByWhiteline(
  paths: readonly string[],
): Promise<(OwnReading | { refusal: string })[]> {
  const child = spawn(resolve('native/build-test-plain/hap_index'), { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(paths.map((path) => `${path}\n`).join(''));
  const readings = [];
  for await (const text of createInterface(child.stdout)) readings.push(line.parse(JSON.parse(text)));
  if (readings.length !== paths.length) throw new Error(`hap_index ended at ${paths[readings.length]}`);
  return readings;
}

export interface FfmpegReading {
  /** Ticks per second. */
  timeScale: number;
  frames: ReadFrame[];
  /** Every packet that is shown was decoded, and nothing was complained of. */
  isWhole: boolean;
  complaints: string;
}

const answer = z.object({
  packets_and_frames: z
    .array(
      z.object({
        type: z.string(),
        pts: z.number().optional(),
        pkt_pos: z.coerce.number().optional(),
        pkt_size: z.coerce.number().optional(),
        flags: z.string().optional(),
      }),
    )
    .default([]),
  streams: z
    .array(z.object({ index: z.number(), codec_name: z.string().optional(), time_base: z.string() }))
    .default([]),
});

/** Of harm to no frame: a chunk too many, and sound. */
const harmless = /wrong (sample|chunk) count|stream [1-9], /;

/** How ffmpeg reads a movie, as ffprobe shows it; null: it opens none, or finds no Hap in it. */
export async function readByFfmpeg(path: string): Promise<FfmpegReading | null> {
  const entries = 'packet=flags:frame=pts,pkt_pos,pkt_size:stream=index,codec_name,time_base';
  const probe = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-of', 'json', '-select_streams', 'v:0', '-show_packets', '-show_frames'],
    ...['-show_entries', entries, '-i', path],
  ]).catch(() => null);
  if (probe === null) return null;
  const { packets_and_frames: all, streams } = answer.parse(JSON.parse(probe.stdout));
  const [stream] = streams;
  if (stream?.codec_name !== 'hap') return null;
  const shown = all.filter(({ type, flags }) => type === 'packet' && !flags?.includes('D'));
  const frames = all.filter(({ type }) => type === 'frame');
  const firstTicks = frames[0]?.pts ?? 0;
  const complaints = probe.stderr
    .split('\n')
    .filter((text) => text !== '' && !harmless.test(text))
    .join('\n');
  return {
    timeScale: Number(stream.time_base.split('/')[1]),
    frames: frames.map(({ pts = 0, pkt_pos: offset = -1, pkt_size: bytes = -1 }) => [
      offset,
      bytes,
      pts - firstTicks,
    ]),
    isWhole: frames.length > 0 && frames.length === shown.length && complaints === '',
    complaints,
  };
}
