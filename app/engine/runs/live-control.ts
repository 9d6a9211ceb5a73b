import type { StreamsRow } from '../../facts/stream-row';
import type { AddingPhase } from '../../protocol/console';
import { type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import type { SourceSettings } from '../../protocol/source-spec';
import type { EndPlaces } from '../../protocol/stream-parameters';
import type { ThresholdProfile } from '../../protocol/thresholds';
import {
  areApart,
  chosenBefore,
  isElsewhere,
  moveEnds,
  returnEnds,
  sourceFacts,
  topologyOf,
} from '../experiment/on-machines';
import type { Instrument } from '../instrument';
import type { Recorder } from '../sessions/recorder';
import type { Stream } from '../streams/stream';
import type { CleanTime } from './clean-time';
import type { ConsoleSession } from './console-session';
import { LiveRun, type LiveRunOptions } from './live-run';
import type { RunOutcome } from './newest-run';
import { type Asked, profileOf } from './prepared-run';
import { followedAgain } from './typed-again';

export interface LiveControlOptions {
  instrument: Instrument;
  consoleSession: ConsoleSession;
  /** Profile of the settings: a built-in one's name or the path of a file; the default without it. */
  thresholds?: string;
  /** Reads this machine as it is now, for the run that begins. */
  lookAtMachine(): Promise<void>;
  /** Opens the folder of a run, which is the one that is shown from then on. */
  record(folder: string, asked: Asked, profile: ThresholdProfile): Recorder;
  onMode(mode: 'live' | 'idle'): void;
  onRow(): void;
  /** What is done for a stream that was asked for has changed. */
  onAdding(): void;
  onProblem(error: unknown): void;
}

/** Of streams of remote senders. */
export interface StreamChange {
  /** Id of the stream that is to end; null: none. */
  instead: number | null;
  /** NDI's full name, and "address:port" where it is not to be looked for; null: none. */
  target: { name: string; address: string | null } | null;
}

const warmUpSeconds = 2;

/** What an operator adds; `name`: what comes before the number of its name. */
type AddedStream = SourceSettings & EndPlaces & { name: string };

/** What a live run is of, and how it begins. */
interface LiveKind extends Pick<LiveRunOptions, 'set' | 'isSenderRemote' | 'close'> {
  /** Senders of others, which this console does not start. */
  isFollowing: boolean;
  asked: Asked;
  /** Plays what the streams are to show, where that is here. */
  open(signal: AbortSignal): Promise<unknown>;
}

/** Streams that an operator adds and removes by hand: those of this console, or those of remote senders. */
export class LiveControl {
  /** What is done for a stream that was asked for. */
  adding: AddingPhase | null = null;
  private live: LiveRun | null = null;
  private isFollowing = false;
  /** Of the newest run. */
  cleanTime: CleanTime | null = null;
  /** Ends of the console's own streams. */
  private places: EndPlaces = {};
  /** Whiteline closes, and waits for nothing. */
  private readonly closing = new AbortController();
  /** A source that is being opened: reading a movie into memory may take long. */
  private opening: AbortController | null = null;

  constructor(private readonly options: LiveControlOptions) {}

  get isRunning(): boolean {
    return this.live !== null;
  }

  /** It has machines of the fleet, and no stream is on them. */
  get holdsMachinesInVain(): boolean {
    return this.live !== null && isElsewhere(this.places) && this.options.instrument.streams.length === 0;
  }

  /** Adds one stream of a source; the first one opens the source and a run. */
  async add({ name, sendOn, receiveOn, ...settings }: AddedStream): Promise<void> {
    const { set } = this.options.instrument;
    const places = { sendOn, receiveOn };
    const isThere = this.places.sendOn === sendOn && this.places.receiveOn === receiveOn;
    if (this.live && !this.isFollowing && set.lost) await this.leaveLost(settings.source);
    if (this.live && (this.isFollowing || !isThere || !set.plays(settings))) {
      const message = this.isFollowing
        ? `${oneKind}, and others are being followed`
        : 'All streams of a live run have one source and one format, and this run plays others';
      const remedy = 'Press Stop, then add the stream';
      await this.giveWay({ message, field: 'source', value: settings.source, remedy });
    }
    await this.bring(
      () => this.playing(settings, places),
      () => set.addStream(name),
    );
  }

  /**
   * Adds the stream of a remote sender, by NDI's full name; the first one opens a run.
   * @param address "address:port", where the sender is not looked for
   * @param instead id of a stream that is to end after it, and may have the same address
   */
  async follow(name: string, address?: string, instead?: number): Promise<Stream> {
    const { followed } = this.options.instrument.set;
    this.refuseSecond(name, address, instead);
    if (this.live && !this.isFollowing) {
      const message = `${oneKind}, and a source of this console is playing`;
      await this.giveWay({ message, field: 'source', value: name, remedy: 'Stop first, then add it again' });
    }
    return this.bring(
      async () => this.following(name, address),
      () => followed.add(name, address),
    );
  }

  /**
   * Follows a remote sender in place of the stream of `instead`, which ends only after it, or stops following that.
   * @returns id of the new stream
   */
  async change({ instead, target }: StreamChange): Promise<number | null> {
    const { followed } = this.options.instrument.set;
    const old = followed.streams.find(({ id }) => id === instead);
    const address = target?.address ?? undefined;
    if (target) this.refuseSecond(target.name, address, old?.id);
    // A name is followed once: of the same one the old stream ends first.
    const isSame = target !== null && followed.alike(target.name).some(({ id }) => id === old?.id);
    if (old && (isSame || target === null)) await this.removeOnce(old.id);
    if (target === null) return null;
    const { id } = await this.follow(target.name, address, old?.id);
    if (old && !isSame) await this.removeOnce(old.id);
    return id;
  }

  /** A stream that has ended meanwhile is gone as asked. */
  private async removeOnce(streamId: number): Promise<void> {
    try {
      await this.remove(streamId);
    } catch (error) {
      if (toProblem(error).code !== 'NOT_FOUND') throw error;
    }
  }

  /** @throws WhitelineError NAME_IN_USE if another stream than that of `except` follows the name or the address */
  private refuseSecond(name: string, address: string | undefined, except?: number): void {
    const other = this.options.instrument.set.followed.alike(name, address).find(({ id }) => id !== except);
    if (!other) return;
    const isOfAddress = address !== undefined && other.name.toLowerCase() !== name.toLowerCase();
    throw new WhitelineError({
      ...{ code: 'NAME_IN_USE', field: 'source', value: name },
      message: isOfAddress
        ? `${other.name} is followed at ${address} already`
        : `${other.name} is followed already`,
      remedy: 'Choose another source, or remove its stream first',
    });
  }

  /** Removes a stream, the newest without an id. */
  async remove(streamId: number | undefined): Promise<void> {
    const { streams } = this.options.instrument;
    const stream =
      streamId === undefined
        ? streams[streams.length - 1]
        : streams.find((candidate) => candidate.id === streamId);
    if (!this.live || !stream) {
      throw new WhitelineError({
        code: 'NOT_FOUND',
        message: 'There is no such stream to remove',
        field: 'streamId',
        value: String(streamId),
      });
    }
    await this.live.remove(stream);
  }

  /** Names a stream for those who read of it. */
  async rename(streamId: number, name: string): Promise<void> {
    const { streams } = this.options.instrument;
    const refused = { field: 'streamName', value: name };
    if (!this.live || streams.every(({ id }) => id !== streamId)) {
      const message = 'Only a stream of a live run can be renamed';
      throw new WhitelineError({ code: 'NOT_FOUND', message, ...refused });
    }
    if (streams.some((other) => other.id !== streamId && other.name === name)) {
      const message = `Another stream is called ${name}`;
      throw new WhitelineError({ code: 'NAME_IN_USE', message, ...refused, remedy: 'Choose another name' });
    }
    await this.live.rename(streamId, name);
  }

  /** The open row as it stands, or null: counted up to the moment of the strips. */
  provisionalRow(): StreamsRow | null {
    return this.live?.provisionalRow(this.options.instrument.viewedNs) ?? null;
  }

  tick(nowNs: number): void {
    const { viewed, viewedNs } = this.options.instrument;
    this.live?.cleanTime.look(viewedNs, viewed);
    this.live?.tick(nowNs);
  }

  /** Whiteline closes: nothing more is fetched from other machines. */
  close(): void {
    this.closing.abort();
    this.abort();
  }

  /** Gives up a source that is still being opened. */
  abort(): void {
    this.opening?.abort();
  }

  /** Removes all streams and ends the run; what was measured stays. */
  async end(): Promise<RunOutcome | null> {
    const { live } = this;
    if (!live) return null;
    try {
      return await live.end();
    } finally {
      this.live = null;
    }
  }

  /** Adds a stream, and begins a run with it if there is none. */
  private async bring(kindOf: () => Promise<LiveKind>, addStream: () => Promise<Stream>): Promise<Stream> {
    try {
      if (!this.live) this.noteAdding('opening');
      const live = this.live ?? (await this.start(await kindOf()));
      this.noteAdding('connecting');
      return await live.add(addStream);
    } finally {
      this.noteAdding(null);
    }
  }

  private noteAdding(phase: AddingPhase | null): void {
    this.adding = phase;
    this.options.onAdding();
  }

  /** A run without streams makes room for one of another kind; one with streams is not ended by the way. */
  private async giveWay(refusal: Omit<Problem, 'code'>): Promise<void> {
    if (this.options.instrument.streams.length > 0)
      throw new WhitelineError({ code: 'BAD_INPUT', ...refusal });
    await this.end();
  }

  /** What was in a stream process that is gone does not come back; a new run has restarted processes. */
  private leaveLost(source: string): Promise<void> {
    const { died } = this.options.instrument.set;
    const gone = died.flatMap(({ isLost, machine }) => (isLost && machine !== undefined ? [machine] : []));
    const machines = [...new Set(gone)].join(' and ');
    const whose = machines === '' ? 'A stream process' : `A stream process on ${machines}`;
    return this.giveWay({
      message: `${whose} is gone, and the streams of this run with it`,
      ...{ field: 'source', value: source },
      remedy: 'Remove these streams, or stop, then add a stream again',
    });
  }

  private async playing(settings: SourceSettings, places: EndPlaces): Promise<LiveKind> {
    const { set } = this.options.instrument;
    await set.recovery;
    const chosen = await chosenBefore(settings, places, set.nativeHost);
    return {
      ...{ set, isFollowing: false, isSenderRemote: areApart(places) },
      asked: {
        ...{ experiment: 'live', title: 'Live', command: 'npm start' },
        parameters: { ...settings, ...places },
        environment: { topology: topologyOf(places), source: sourceFacts(chosen, settings.source, places) },
      },
      open: async (signal) => {
        this.places = places;
        try {
          await moveEnds(set, places);
          await set.openSource(settings, { signal });
        } catch (error) {
          await this.bringBack(places);
          throw error;
        }
      },
      close: async () => {
        await set.removeAll();
        await set.closeSource();
        await this.bringBack(places);
      },
    };
  }

  private async bringBack(places: EndPlaces): Promise<void> {
    const { set } = this.options.instrument;
    this.places = {};
    await returnEnds(set, places).finally(() => set.fetchLogs(this.closing.signal));
  }

  private following(name: string, address: string | undefined): LiveKind {
    const { followed } = this.options.instrument.set;
    const { thresholds } = this.options;
    return {
      ...{ set: followed, isFollowing: true, isSenderRemote: true },
      asked: {
        ...{ experiment: 'live', title: 'Live, remote senders' },
        ...followedAgain([{ name, address }], { thresholds, from: followed.searchHosts }),
        environment: { topology: 'receiver only' },
      },
      open: () => Promise.resolve(),
      close: () => followed.removeAll(),
    };
  }

  private async start({ asked, open, ...kind }: LiveKind): Promise<LiveRun> {
    const { instrument, consoleSession, onMode, onRow, onProblem } = this.options;
    const profile = profileOf(this.options.thresholds);
    await this.options.lookAtMachine();
    const session = consoleSession.join();
    const recorder = this.options.record(consoleSession.folderOf('live'), { ...asked, session }, profile);
    const { thresholds } = profile;
    const wallOffsetUs = instrument.wall.offsetUs;
    const live = new LiveRun({
      clock: instrument.wall.clock,
      ...kind,
      recorder,
      thresholds,
      wallOffsetUs,
      warmUpSeconds,
      onRow,
      onProblem,
    });
    instrument.restartViews(warmUpSeconds, thresholds, kind.isSenderRemote);
    this.isFollowing = kind.isFollowing;
    this.live = live;
    this.cleanTime = live.cleanTime;
    onMode('live');
    this.opening = new AbortController();
    try {
      await open(this.opening.signal);
      this.noteAdding('baseline');
      await live.start();
      return live;
    } catch (error) {
      this.live = null;
      onMode('idle');
      const { code, message } = toProblem(error);
      await recorder.end(code === 'ABORTED' ? 'aborted' : 'failed', null, message);
      throw error;
    } finally {
      this.opening = null;
    }
  }
}

/** The load of one machine is not that of another: a row has one sender's side. */
const oneKind = 'A live run either plays streams of its own or follows those of others';
