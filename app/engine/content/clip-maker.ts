import type { Clock } from '../../protocol/clock';
import type { ClipProgress } from '../../protocol/content-battery';
import { badInput, toProblem, WhitelineError } from '../../protocol/errors';
import { parseFormat } from '../../protocol/format';
import type { NativeHost } from '../capabilities/native-host';
import { findManifest } from './find-manifest';
import { contentFolder } from './folder';
import { makeContent } from './make';
import { usualClip } from './recipe';

/** Makes clips of the content battery for the console, one at a time. */
export class ClipMaker {
  /** Of the clip that is being made. */
  progress: ClipProgress | null = null;
  private abortion: AbortController | null = null;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicNs'>,
    private readonly host: () => NativeHost,
    private readonly onChange: () => void,
  ) {}

  /** @throws WhitelineError while a clip is made: it takes every core that a measurement would need */
  refuse(): void {
    if (!this.abortion) return;
    throw new WhitelineError({
      code: 'BAD_INPUT',
      message: `The test clip ${this.progress?.clip} is being made, which would disturb what is measured`,
      remedy: 'Wait until it is made, or stop it',
    });
  }

  /**
   * Resolves once the clip is made, or its making was stopped.
   * @throws WhitelineError for an unknown clip or format, and for everything that prevents the making
   */
  async make(name: string, format: string): Promise<void> {
    this.refuse();
    const manifest = findManifest();
    const clip = manifest.clips.find((candidate) => candidate.name === name);
    if (!clip) throw badInput('clip', `one of ${manifest.clips.map((each) => each.name).join(', ')}`, name);
    const request = {
      ...{ manifest, clips: [clip], folder: contentFolder(), force: false },
      ...{ ...usualClip, format: parseFormat(format) },
    };
    const abortion = new AbortController();
    this.abortion = abortion;
    this.report({ clip: name, stage: 'made', framesDone: 0, frames: 0, secondsLeft: null });
    try {
      await makeContent(
        this.host(),
        request,
        {
          onProgress: ({ stage, framesDone, frames, secondsLeft }) =>
            this.report({ clip: name, stage, framesDone, frames, secondsLeft }),
          onResult: () => undefined,
        },
        { clock: this.clock, signal: abortion.signal },
      );
    } catch (error) {
      if (!(abortion.signal.aborted && toProblem(error).code === 'ABORTED')) throw error;
    } finally {
      this.abortion = null;
      this.report(null);
    }
  }

  abort(): void {
    this.abortion?.abort();
  }

  private report(progress: ClipProgress | null): void {
    this.progress = progress;
    this.onChange();
  }
}
