import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import { formatText } from '../../protocol/format';
import type { ContentWriterStatus, MovieFacts } from '../../protocol/records';
import type { NativeHost } from '../capabilities/native-host';
import { writeProblem } from '../sessions/append-file';
import { checkNewFile, type Existing, putInPlace } from '../sessions/new-file';
import { checkMovie } from '../streams/sources/movie';
import { requireHapEncoder } from './encoder';
import { makeContentFolder } from './folder';
import { freeBytes } from './free-space';
import type { ContentClip, Manifest } from './manifest';
import {
  type ClipSettings,
  checkSettings,
  clipPath,
  expectedBytes,
  framesOf,
  variants,
  writerOptions,
} from './recipe';

export interface ContentRequest extends ClipSettings {
  manifest: Manifest;
  clips: ContentClip[];
  folder: string;
  /** Makes clips again that exist already, and overwrites other files of these names. */
  force: boolean;
}

export interface ContentProgress {
  clip: string;
  /** From 1; of the clips that have to be made. */
  number: number;
  count: number;
  stage: 'made' | 'checked';
  framesDone: number;
  frames: number;
  /** Until all clips are made, if they go on as fast as until now; null at the beginning. */
  secondsLeft: number | null;
}

export interface ContentResult {
  clip: string;
  path: string;
  /** It was there already and is complete; it was not decoded again. */
  kept: boolean;
  facts: MovieFacts;
}

export interface ContentListener {
  onProgress(progress: ContentProgress): void;
  onResult(result: ContentResult): void;
}

/**
 * Makes clips of the battery one after the other. Each is written beside its place, decoded frame by frame, and only
 * then given its name; what fails or is stopped leaves nothing behind.
 * @throws WhitelineError BAD_INPUT, TOOL_MISSING, DISK_FULL, OUTPUT_UNWRITABLE, MOVIE_UNREADABLE, ABORTED
 */
export async function makeContent(
  host: NativeHost,
  request: ContentRequest,
  listener: ContentListener,
  { clock, signal }: { clock: Pick<Clock, 'monotonicNs'>; signal: AbortSignal },
): Promise<void> {
  checkSettings(request);
  await requireHapEncoder();
  const folder = makeContentFolder(request.folder);
  const existing: Existing = request.force ? 'replace' : 'keep';
  const missing: ContentClip[] = [];
  for (const clip of request.clips) {
    const path = clipPath(folder, clip, request);
    const facts = request.force ? null : await completeClip(host, path, request);
    if (facts) listener.onResult({ clip: clip.name, path, kept: true, facts });
    else {
      checkNewFile(path, existing);
      missing.push(clip);
    }
  }
  await requireSpace(missing, request, folder);
  const pace = new Pace(clock, missing.length, framesOf(request));
  for (const [index, clip] of missing.entries()) {
    const path = clipPath(folder, clip, request);
    const report: ReportProgress = (stage, framesDone, frames) => {
      const secondsLeft = pace.secondsLeft(index, stage === 'made' ? framesDone : frames);
      const place = { clip: clip.name, number: index + 1, count: missing.length };
      listener.onProgress({ ...place, stage, framesDone, frames, secondsLeft });
    };
    const facts = await makeClip(host, clip, request, { path, existing }, report, signal);
    listener.onResult({ clip: clip.name, path, kept: false, facts });
  }
}

type ReportProgress = (stage: ContentProgress['stage'], framesDone: number, frames: number) => void;

async function makeClip(
  host: NativeHost,
  clip: ContentClip,
  settings: ClipSettings,
  { path, existing }: { path: string; existing: Existing },
  report: ReportProgress,
  signal: AbortSignal,
): Promise<MovieFacts> {
  const scratch = makeScratch(dirname(path));
  const partialPath = join(scratch, basename(path));
  try {
    await writeClip(host, clip, settings, partialPath, report, signal);
    const facts = await verifiedFacts(host, partialPath, settings, report, signal);
    putInPlace(partialPath, path, existing);
    return facts;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A folder that is ours alone: ffmpeg would follow a link that another put in its file's place. */
function makeScratch(folder: string): string {
  try {
    return mkdtempSync(join(folder, '.whiteline-'));
  } catch (error) {
    throw writeProblem(error, folder);
  }
}

async function writeClip(
  host: NativeHost,
  clip: ContentClip,
  settings: ClipSettings,
  path: string,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<void> {
  const options = writerOptions(clip, settings, path);
  const onProgress = ({ framesDone, frames }: { framesDone: number; frames: number }): void =>
    report('made', framesDone, frames);
  const reply = await host.request({ name: 'writeContent', options }, onProgress, signal);
  const { state, message } = reply as ContentWriterStatus;
  if (state === 'running') throw aborted(clip.name);
  if (state === 'done') return;
  // ffmpeg reports a full disk in words only.
  if (/no space left|quota exceeded/i.test(message)) throw writeProblem({ code: 'ENOSPC' }, path);
  throw new WhitelineError({
    code: 'OUTPUT_UNWRITABLE',
    message: `${clip.name} could not be made: ${message.trim()}`,
    value: path,
    remedy: 'Choose a folder that you may write to, or another size, variant or number of chunks',
  });
}

/** Decodes every frame. */
async function verifiedFacts(
  host: NativeHost,
  path: string,
  settings: ClipSettings,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<MovieFacts> {
  const onProgress = ({ framesDone, frames }: { framesDone: number; frames: number }): void =>
    report('checked', framesDone, frames);
  const status = await checkMovie(host, path, { decode: true, onProgress, signal });
  if (status.state === 'running') throw aborted(path);
  const { facts, damagedFrames, damage } = status;
  if (facts && damagedFrames === 0 && isAsAsked(facts, settings)) return facts;
  const what = facts ? `${facts.variant} ${facts.width}x${facts.height}, ${facts.frames} frames` : 'not Hap';
  throw new WhitelineError({
    code: 'MOVIE_UNREADABLE',
    message: `The new clip did not come out right (${damage[0]?.message ?? what}), so it was removed`,
    value: path,
    remedy: 'Make it again; if it stays so, check the disk and the ffmpeg',
  });
}

/** Facts of a clip that is there and as asked for; null when it has to be made. */
async function completeClip(
  host: NativeHost,
  path: string,
  settings: ClipSettings,
): Promise<MovieFacts | null> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  const { facts } = await checkMovie(host, path, { decode: false }).catch(() => ({ facts: null }));
  return facts && isAsAsked(facts, settings) ? facts : null;
}

function isAsAsked(facts: MovieFacts, settings: ClipSettings): boolean {
  const { width, height, rate } = settings.format;
  return (
    facts.fourCC === variants[settings.variant].fourCC &&
    facts.width === width &&
    facts.height === height &&
    facts.rateNumerator * rate.denominator === rate.numerator * facts.rateDenominator &&
    facts.frames === framesOf(settings)
  );
}

async function requireSpace(clips: ContentClip[], request: ContentRequest, folder: string): Promise<void> {
  const needed = clips.reduce((total, clip) => total + expectedBytes(clip, request, request.manifest), 0);
  const free = await freeBytes(folder);
  if (free === null || needed <= free) return;
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
  const clipsText = `${clips.length} ${clips.length === 1 ? 'clip' : 'clips'} of ${request.seconds} s`;
  throw new WhitelineError({
    code: 'DISK_FULL',
    message: `${clipsText} at ${formatText(request.format)} take about ${gigabytes(needed)}, but ${folder} has ${gigabytes(free)} free`,
    field: 'folder',
    value: folder,
    remedy: 'Free some space, choose another folder, or make fewer, shorter or smaller clips',
  });
}

function aborted(what: string): WhitelineError {
  return new WhitelineError({
    code: 'ABORTED',
    message: `Stopped while ${what} was made; what was made of it is removed, clips made before are kept`,
  });
}

/** How long it will take, from the pace so far. */
class Pace {
  private readonly startNs: number;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicNs'>,
    private readonly clips: number,
    private readonly framesPerClip: number,
  ) {
    this.startNs = clock.monotonicNs();
  }

  secondsLeft(clipsDone: number, framesDone: number): number | null {
    const done = clipsDone * this.framesPerClip + framesDone;
    if (done === 0) return null;
    const seconds = (this.clock.monotonicNs() - this.startNs) / 1e9;
    return (seconds / done) * (this.clips * this.framesPerClip - done);
  }
}
