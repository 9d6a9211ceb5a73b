import { StandstillLog } from '../engine/load/standstills';
import { LiveRun } from '../engine/runs/live-run';
import { WatchRun } from '../engine/runs/watch-run';
import type { FollowedStreams } from '../engine/streams/followed-streams';
import type { NoteEvent } from '../engine/streams/stream-hosts';
import { StreamViews } from '../engine/streams/stream-view';
import { timelineBlock } from '../engine/streams/timeline-block';
import { WatchSet } from '../engine/streams/watch-set';
import { WallClock } from '../engine/wall-clock';
import type { Verdict } from '../facts/verdict';
import type { StreamView } from '../protocol/console';
import { defaultThresholds } from '../protocol/thresholds';
import type { KnownLoss, TimelineBlock } from '../protocol/timeline';
import { FakeApplication } from './fake-application';
import { loadSample } from './load-sample';
import { isOfNamedStreams, namedRow, namedStreams, type Row } from './named-rows';
import { type Played, PlayedSender } from './played-sender';
import { recorderIn } from './recorder';
import { RemoteSender, type SenderKind } from './remote-sender';
import { SimulatedClock } from './simulated-clock';

const boot = 'this-boot';
const wallOffsetUs = 0;

export interface Ended {
  verdict: Verdict | null;
  reason: string;
  rows: Row[];
}

/** Remote senders that are followed in a simulated time, by a run that is live or a watch. */
export class OutageBench {
  readonly clock = new SimulatedClock();
  readonly application = new FakeApplication();
  readonly events: { kind: string; text: string; details?: Record<string, unknown> }[] = [];
  readonly senders: RemoteSender[] = [];
  private readonly played: PlayedSender[] = [];
  shown: StreamView[] = [];
  /** Rows begin this much later, so that they may end in the middle of a frame. */
  laterSeconds = 0;
  private readonly set: WatchSet;
  private readonly views: StreamViews;
  private readonly stops: (() => void)[] = [];

  private constructor() {
    const noteEvent: NoteEvent = (kind, text, details) => void this.events.push({ kind, text, details });
    this.set = new WatchSet({
      standstills: new StandstillLog(),
      ...{
        application: this.application,
        transport: { name: 'ndi', candidates: [] },
        wallOffsetUs,
        boot,
        noteEvent,
      },
      clock: this.clock,
    });
    this.views = new StreamViews({
      ...{ thresholds: defaultThresholds, warmUpSeconds: 2, wallOffsetUs, isSenderRemote: true, noteEvent },
      ...{ set: this.set.followed, clock: this.clock },
    });
    this.every(500, () => this.views.noteLoad(loadSample({ atNs: this.clock.monotonicNs() })));
    this.every(250, () => {
      this.shown = this.views.views(this.followed.streams, this.clock.monotonicNs());
    });
  }

  static async start(): Promise<OutageBench> {
    const bench = new OutageBench();
    await bench.set.start();
    return bench;
  }

  get followed(): FollowedStreams {
    return this.set.followed;
  }

  /** Of the first stream, as its timeline has them. */
  get timeline(): TimelineBlock {
    const [stream] = this.followed.streams;
    if (!stream) throw new Error('nothing is followed');
    const range = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
    const nowNs = this.clock.monotonicNs();
    return timelineBlock(stream, this.views.lossesOf(stream), { range, nowNs, wallOffsetUs });
  }

  /** What is known of one of them. */
  knownOf(key: string): KnownLoss | null {
    const [stream] = this.followed.streams;
    return stream ? this.views.lossOf(stream, key) : null;
  }

  get sender(): RemoteSender {
    const [sender] = this.senders;
    if (!sender) throw new Error('there is no sender');
    return sender;
  }

  pass(seconds: number): Promise<void> {
    return this.clock.pass(seconds * 1000);
  }

  async follow(kind: SenderKind, isThere = true): Promise<void> {
    const name = `x${this.senders.length + 1}`;
    const { id } = await this.followed.add(name);
    const stream = { streamId: id, sourceName: `HOST (${name})`, kind, boot };
    const sender = new RemoteSender(this.clock, this.application, stream);
    if (!isThere) sender.vanish();
    this.senders.push(sender);
  }

  /** A live run, and how to end it. Each sender is added by the operator. */
  async live(folder: string, kinds: readonly SenderKind[]) {
    // No test reads run.json here.
    const derive = async (): Promise<void> => undefined;
    const { recorder } = recorderIn(folder, { wall: new WallClock(this.clock), derive });
    this.every(500, () => {
      const atNs = this.clock.monotonicNs();
      recorder.sample(loadSample({ atNs, wallMs: atNs / 1e6 }));
    });
    const run = new LiveRun({
      ...{ set: this.followed, recorder, thresholds: defaultThresholds, wallOffsetUs, warmUpSeconds: 2 },
      ...{ isSenderRemote: true, clock: this.clock },
      close: () => this.followed.removeAll(),
      onRow: () => undefined,
      onProblem: (error) => {
        throw error;
      },
    });
    await this.clock.until(run.start());
    this.every(250, () => run.tick(this.clock.monotonicNs()));
    const add = (kind: SenderKind, isThere = true) =>
      this.clock.until(
        run.add(async () => {
          await this.follow(kind, isThere);
          const added = this.followed.streams[this.followed.streams.length - 1];
          if (!added) throw new Error('no stream was added');
          return added;
        }),
      );
    for (const kind of kinds) await add(kind);
    await this.passAReport();
    const end = async (): Promise<Ended> => {
      const ended = await this.clock.until(run.end());
      return {
        ...ended,
        rows: recorder.rows
          .map(namedRow)
          .filter(isOfNamedStreams)
          .filter(({ streams }) => streams > 0),
      };
    };
    return { run, add, end };
  }

  /** A sender whose pictures a test makes up. */
  async followPlayed(played: Played, isProgramme = false): Promise<void> {
    const { id } = await this.followed.add(`x${this.played.length + 1}`, undefined, isProgramme);
    this.played.push(new PlayedSender(this.clock, this.application, id, played));
  }

  /** A watch of senders that send already, and how to end it. */
  async watch(kinds: readonly SenderKind[]) {
    for (const kind of kinds) await this.follow(kind);
    await this.passAReport();
    const abort = new AbortController();
    const rows: Row[] = [];
    const run = new WatchRun({
      ...{ set: this.followed, isSenderRemote: true, thresholds: defaultThresholds, wallOffsetUs },
      rowSeconds: 10,
      clock: this.clock,
      ...{ signal: abort.signal, noteEvent: () => undefined },
      ...{
        onViews: () => undefined,
        onState: () => undefined,
        onRow: (row) => rows.push(namedStreams(row)),
      },
    });
    this.every(500, () => run.addSample(loadSample({ atNs: this.clock.monotonicNs() })));
    const over = run.run(Number.POSITIVE_INFINITY);
    const end = async (): Promise<Ended> => {
      abort.abort();
      await this.clock.until(over);
      return { ...run.outcome(['x']), rows };
    };
    return { end };
  }

  close(): void {
    for (const stop of this.stops) stop();
    for (const sender of [...this.senders, ...this.played]) sender.close();
    this.set.close();
  }

  /** So that rows do not end with a report, and what a test does next does not come with one. */
  private passAReport(): Promise<void> {
    return this.pass(0.05 + this.laterSeconds);
  }

  private every(milliseconds: number, act: () => void): void {
    this.stops.push(this.clock.every(milliseconds, act));
  }
}
