import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Addon,
  type ContentAddon,
  loadAddon,
  loadContentAddon,
  type ReceiverTarget,
  type Sender,
  type Source,
} from '../../addon/index';

export interface WorldOptions {
  ndiFolder: string;
  /** A small Hap movie. */
  clip: string;
  /** Begins the names of all senders, so that no other process's sender is taken for one of these. */
  prefix: string;
}

/** Small, and fast enough that a call that waits for a picture is short. */
export const format = {
  width: 320,
  height: 180,
  rateNumerator: 60,
  rateDenominator: 1,
  pixelFormat: 'uyvy' as const,
  wallOffsetUs: 0,
};

const patienceMs = 30_000;
const pictureBytes = 2 * format.width * format.height;
/**
 * What the steady stream may hold, and keeps once it had it: 8 pictures of its source (native/media/pipeline/make_pictures.cc),
 * 3 of its sender (source.cc), and the noise, which reaches 65,535 pixel pairs beyond a picture (noise_field.cc).
 */
const steadyPictureBytes = (8 + 3) * pictureBytes + (pictureBytes + 65_536 * 4);

/** The addons, and a stream that runs all the time: what opens and closes is attached to it. */
export class World {
  readonly addon: Addon;
  readonly contentAddon: ContentAddon;
  private names = 0;

  private constructor(
    readonly options: WorldOptions,
    readonly source: Source,
    readonly sender: Sender,
    readonly target: ReceiverTarget,
  ) {
    this.addon = loadAddon();
    this.contentAddon = loadContentAddon();
  }

  static async open(options: WorldOptions): Promise<World> {
    const addon = loadAddon();
    addon.loadNdi([options.ndiFolder]);
    const source = new addon.Source({ kind: 'noise', ...format });
    const name = `${options.prefix}-steady`;
    const sender = new addon.Sender({
      transport: 'ndi',
      source,
      name,
      senderId: 1,
      audio: true,
      answerTime: true,
    });
    const finder = new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
    const fullName = sender.status().sourceName;
    const target = await until('the steady sender', () =>
      finder.sources().find((found) => found.name === fullName),
    );
    finder.close();
    return new World(options, source, sender, target);
  }

  newName(): string {
    this.names += 1;
    return `${this.options.prefix}-${this.names}`;
  }

  openHandles(): number {
    return this.addon.openHandles() + this.contentAddon.openHandles();
  }

  /** Closes the stream, and waits until nothing is left of anything. */
  async close(): Promise<void> {
    this.sender.close();
    this.source.close();
    await this.nothingLeft();
  }

  /** Waits until only so many handles are open, and until the pictures of all others are gone. */
  async nothingLeft(handles = 0): Promise<void> {
    await until(`${handles} open handles`, () => {
      globalThis.gc?.();
      return this.openHandles() <= handles || undefined;
    });
    const most = handles === 0 ? 0 : steadyPictureBytes;
    const held = () => this.addon.pictureBytes() + this.contentAddon.pictureBytes();
    await until(
      () => `no more than ${most} bytes of pictures, of ${held()} held`,
      () => {
        // JavaScript may still hold one.
        globalThis.gc?.();
        return held() <= most || undefined;
      },
    );
  }
}

/** What `read` gives when it gives something. */
export async function until<T>(what: string | (() => string), read: () => T | undefined): Promise<T> {
  const limitMs = Date.now() + patienceMs;
  while (Date.now() < limitMs) {
    const value = read();
    if (value !== undefined) return value;
    await sleep(5);
  }
  throw new Error(`Waited ${patienceMs / 1000} s in vain for ${typeof what === 'string' ? what : what()}`);
}

export function expect(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`Expected ${what}`);
}
