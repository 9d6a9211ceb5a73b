import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receiver, Sender, Source } from '../../addon/index';
import { expect, format, type World } from './world';

/** A handle as it is used here: every class has a `close`. */
export interface AnyHandle {
  close(): void;
}

/** One way to have a handle at work: how it is opened, and whether it does already what it is for. */
interface Kind {
  open(world: World): AnyHandle;
  isAtWork(handle: never): boolean;
}

const { rateNumerator, rateDenominator } = format;
/** One loop that never ends, and its child: what closes has to end both. */
const endless = { file: 'sh', arguments: ['-c', 'yes & exec yes'] };

function kind<Handle extends AnyHandle>(
  open: (world: World) => Handle,
  isAtWork: (handle: Handle) => boolean,
): Kind {
  return { open, isAtWork };
}

const plays = (source: Source): boolean => source.drain().frameNumber.length > 0;

/** Everything that JavaScript can open. */
export const kinds: Record<string, Kind> = {
  finder: kind(
    ({ addon }) => new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] }),
    (finder) => finder.sources().length > 0,
  ),
  whiteLine: kind(({ addon }) => new addon.Source({ kind: 'white-line', ...format }), plays),
  noise: kind(({ addon }) => new addon.Source({ kind: 'noise', ...format, pixelFormat: 'bgra' }), plays),
  movie: kind(({ addon }) => new addon.Source({ kind: 'movie', ...format, command: endless }), plays),
  hap: kind(({ addon, options }) => {
    const hap = { path: options.clip, startFrame: 0, preload: false, reads: 'cached' as const };
    return new addon.Source({ kind: 'hap', ...format, width: 640, height: 360, hap });
  }, plays),
  sender: kind(
    (world) =>
      new world.addon.Sender({ transport: 'ndi', source: world.source, name: world.newName(), senderId: 2 }),
    sends,
  ),
  talkingSender: kind((world) => {
    const extras = { audio: true, answerTime: true };
    const { source } = world;
    return new world.addon.Sender({
      transport: 'ndi',
      source,
      name: world.newName(),
      senderId: 3,
      ...extras,
    });
  }, sends),
  receiver: kind(openReceiver, (receiver) => receiver.drain().captureNs.length > 0),
  lookingReceiver: kind((world) => {
    const receiver = openReceiver(world);
    receiver.setPreview({ rateHz: 60, maxWidth: 160 });
    receiver.setView({ mostWidth: 320, mostHeight: 180, mostPicturesPerSecond: 60 });
    receiver.askTime({ rateHz: 20 });
    return receiver;
  }, looks),
  keepingReceiver: kind(
    (world) => {
      const receiver = openReceiver(world);
      const { sourceId } = world.source.status();
      const { width, height } = format;
      const next = Math.floor(((world.addon.monotonicNs() - world.source.status().startNs) * 60) / 1e9) + 5;
      // Of half a minute, for as long as its work is waited for: to connect may take longer than a second.
      const frames = Array.from({ length: 300 }, (_, index) => next + 6 * index);
      receiver.keepPictures({ folder: scratchFolder(), width, height, frames, sourceId });
      return receiver;
    },
    (receiver) => (receiver.keptPictures()?.written.length ?? 0) > 0,
  ),
  movieCheck: kind(
    ({ addon, options }) => new addon.MovieCheck({ path: options.clip, decode: true, reads: 'cached' }),
    (check) => check.status().state === 'done',
  ),
  contentWriter: kind(
    ({ contentAddon }) => {
      const command = { file: 'sh', arguments: ['-c', 'exec cat > /dev/null'] };
      const { width, height } = format;
      const shape = { width, height, rateNumerator, rateDenominator, frames: 1000 };
      return new contentAddon.ContentWriter({ generator: 'flares', ...shape, command });
    },
    (writer) => writer.status().framesWritten > 0,
  ),
  qualityCheck: kind(
    ({ contentAddon, options }) => {
      const clip = { path: options.clip, generator: 'gradients', frames: [0, 1, 2, 3] };
      return new contentAddon.QualityCheck({ program: 'ffmpeg', clip });
    },
    (check) => check.status().state !== 'running',
  ),
  processorScore: kind(
    ({ addon }) => new addon.ProcessorScore(),
    (score) => score.status().coresInAll > 0,
  ),
  standstills: kind(
    ({ addon }) => new addon.StandstillWatch(),
    (watch) => Array.isArray(watch.drain()),
  ),
  wakeUps: kind(
    ({ addon }) => new addon.WakeUpLateness({ rateNumerator: 1000, rateDenominator: 1, slots: 1_000_000 }),
    (lateness) => lateness.drain().slot.length > 0,
  ),
  textures: kind(
    ({ addon, options }) =>
      new addon.TextureReader({
        ...{ path: options.clip, startFrame: 0, rateNumerator, rateDenominator },
        startNs: addon.monotonicNs(),
      }),
    (reader) => {
      reader.request();
      return reader.texture(0) !== null && reader.damage() === '';
    },
  ),
};

export const kindNames = Object.keys(kinds);

export function open(name: string, world: World): AnyHandle {
  const chosen = kinds[name];
  if (chosen === undefined) throw new Error(`No kind is named ${name}`);
  return chosen.open(world);
}

/** One use in normal life: what came is drained. Whether the handle does what it is for. */
export function use(name: string, handle: AnyHandle): boolean {
  return kinds[name]?.isAtWork(handle as never) ?? false;
}

function openReceiver(world: World): Receiver {
  return new world.addon.Receiver({ transport: 'ndi', ...world.target, receiverName: 'closings' });
}

function sends(sender: Sender): boolean {
  sender.drainMisses();
  sender.sendMetadata('<closings/>');
  return sender.drain().frameNumber.length > 0 && sender.status().sourceName !== '';
}

function looks(receiver: Receiver): boolean {
  receiver.drainAudio();
  receiver.drainMetadata();
  const hasTime = receiver.drainTime().askedUs.length > 0;
  const isCaptured = receiver.drain().captureNs.length > 0;
  return (receiver.preview(0) !== null && receiver.takeView() !== null) || (hasTime && isCaptured);
}

let folder: string | undefined;

function scratchFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'whiteline-closings-'));
  return folder;
}

/** What each method is called with after closing. */
const argumentsByMethod: Record<string, unknown[]> = {
  askTime: [{ rateHz: 1 }],
  connect: [{ name: 'x' }],
  keepPictures: [null],
  preview: [0],
  sendMetadata: ['<x/>'],
  setFaults: [[]],
  setPreview: [{ rateHz: 1, maxWidth: 100 }],
  setStalls: [[]],
  setView: [null],
  texture: [0],
};

/** Closes once more, and calls every method: what was recorded can still be read, all others throw CLOSED. */
export function expectClosed(name: string, handle: AnyHandle): void {
  handle.close();
  const methods = handle as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const method of Object.getOwnPropertyNames(Object.getPrototypeOf(handle))) {
    if (method === 'constructor' || method === 'close') continue;
    let code: unknown = 'nothing was thrown';
    try {
      methods[method]?.(...(argumentsByMethod[method] ?? []));
    } catch (error) {
      code = (error as { code?: unknown }).code;
    }
    const isReading = method.startsWith('drain') || method === 'captureLog';
    const isRight = isReading ? code === 'nothing was thrown' : code === 'CLOSED';
    expect(isRight, `CLOSED from ${name}.${method}, or records, but received ${String(code)}`);
  }
}
