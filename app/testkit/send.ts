import { machineClock } from '../engine/clock';
import { OwnSend } from '../engine/runs/own-send';
import { shellWord } from '../engine/runs/parameters';
import { profileOf } from '../engine/runs/prepared-run';
import { badInput, toProblem, WhitelineError } from '../protocol/errors';
import { parseSentFaults } from '../protocol/faults';
import type { SourceSettings } from '../protocol/source-spec';
import { streamNameOf } from '../protocol/stream-names';
import { checkCount, checkOptions, checkText, sendOptions } from './options';
import { application, ndiPath, packageFolder } from './package-folder';
import { ended, worded } from './problems';
import { noteSenderDeath, noteSent } from './sent-sources';
import type { SendOptions, SentStreams } from './types';
import { stoppedBy } from './watch';

const rowSeconds = 10;
const faultsAheadNs = 0.5e9;
const pollMs = 50;

/**
 * Sends streams with our code in each picture: `white-line` (the default), `noise`, or the path of a movie. Resolves when they are sent.
 * @throws WhitelineProblem BAD_INPUT; NDI_MISSING; MOVIE_UNREADABLE; ABORTED
 */
export async function send(source = 'white-line', options: SendOptions = {}): Promise<SentStreams> {
  try {
    return await begin(source, options);
  } catch (error) {
    throw worded(error);
  }
}

async function begin(source: string, options: SendOptions): Promise<SentStreams> {
  checkText(source, 'source', 'a source', 'Give white-line, noise, or the path of a movie');
  checkOptions(sendOptions, options, 'send');
  const { name = 'Whiteline', streams = 1, ownSources, audio = true, out } = options;
  streamNameOf(name);
  const stop = stoppedBy(options.signal);
  let problem: WhitelineError | null = null;
  const sending: OwnSend = new OwnSend({
    ...{ application: application(), clock: machineClock, appFolder: packageFolder, ndiPath: ndiPath() },
    ...{ profile: profileOf(undefined), rowSeconds, faults: [], signal: stop.signal },
    onEvent: (kind, text, { role } = {}) => {
      const { wall, set } = sending.instrument;
      if (kind !== 'host-died' || role !== 'sending') return;
      const names = set.streams.map(({ fullName }) => fullName);
      noteSenderDeath(wall.isoNow(), text, names);
    },
    onViews: () => noteSources(sending),
    onMeasuring: () => undefined,
    onRow: () => undefined,
    onProblem: (error) => {
      problem = error;
      stop.abort();
    },
  });
  try {
    const ready = await sending.start();
    await sending.open(ready, {
      ...{ source: settingsOf(source, options), streams, ownSources, name, audio },
      limitSeconds: Number.POSITIVE_INFINITY,
      record:
        out === undefined ? undefined : { folder: out, asked: (played) => askedOf(source, options, played) },
    });
    await allPlay(sending, stop.signal);
    noteSources(sending);
    if (stop.signal.aborted) throw problem ?? ended('The sending');
  } catch (error) {
    await sending.end('failed', null, (error as Error).message);
    await sending.close();
    throw error;
  }
  return new OpenStreams(sending, out ?? null, sending.run.run(Number.POSITIVE_INFINITY), stop);
}

async function allPlay({ instrument }: OwnSend, signal: AbortSignal): Promise<void> {
  for (const { source } of instrument.set.streams)
    while (!source.status?.sourceId && !signal.aborted) await machineClock.sleep(pollMs, signal);
}

/** Also those that a process plays that was started again. */
function noteSources({ instrument }: OwnSend): void {
  for (const { source, name, fullName, senderId, injected } of instrument.set.streams)
    if (source.status?.sourceId)
      noteSent(source.status.sourceId, { names: [fullName, name], senderId, injected });
}

class OpenStreams implements SentStreams {
  private closing: Promise<void> | null = null;

  constructor(
    private readonly sending: OwnSend,
    readonly folder: string | null,
    private readonly over: Promise<void>,
    private readonly stop: AbortController,
  ) {
    // Reported by `close`.
    over.catch(() => undefined);
    stop.signal.addEventListener('abort', () => this.close().catch(() => undefined), { once: true });
  }

  get names(): string[] {
    return this.sending.names;
  }

  get sources(): string[] {
    return this.sending.instrument.set.streams.map(({ fullName }) => fullName);
  }

  async inject(faults: string, index = this.names.length - 1): Promise<void> {
    checkText(faults, 'faults', 'faults', 'Give for example "skip:0-2; tear:30"');
    checkCount(index, 'stream');
    const stream = this.sending.instrument.set.streams[index];
    if (this.stop.signal.aborted) throw ended('The sending');
    if (!stream) throw badInput('stream', `the index of one of ${this.names.length} streams`, index);
    try {
      await this.sending.inject(stream, parseSentFaults(faults, 'faults'), faultsAheadNs);
      // Its process was started again meanwhile, and plays as another one.
      if (!this.sending.instrument.set.streams.includes(stream)) throw notPutIn(stream.fullName);
      noteSources(this.sending);
    } catch (error) {
      throw toProblem(error).code === 'HOST_DIED' ? worded(notPutIn(stream.fullName)) : worded(error);
    }
  }

  close(): Promise<void> {
    this.closing ??= Promise.resolve().then(() => this.end());
    return this.closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async end(): Promise<void> {
    this.stop.abort();
    try {
      await this.over;
      const { verdict, reason } = this.sending.run.outcome(this.names);
      await this.sending.end(verdict ? 'finished' : 'aborted', verdict, reason);
    } finally {
      await this.sending.close();
    }
  }
}

function notPutIn(name: string): WhitelineError {
  return new WhitelineError({
    code: 'HOST_DIED',
    message: `The faults were not put into ${name}: our sending process ended`,
    remedy: 'Inject them again once it sends',
  });
}

function settingsOf(source: string, options: SendOptions): SourceSettings {
  const { format = '1280x720@60', pixelFormat = 'uyvy', reads = 'cached' } = options;
  const { scale, rate, startFrame, preload } = options;
  return { source, format, pixelFormat, reads, scale, rate, startFrame, preload };
}

function askedOf(source: string, { signal: _, out: _out, ...options }: SendOptions, played: unknown) {
  return {
    ...{ experiment: 'send', title: 'Send', parameters: { source, ...options } },
    command: `whiteline send --source ${shellWord(source)}`,
    environment: { topology: 'sender only', source: played },
  };
}
