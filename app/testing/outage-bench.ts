import { vi } from 'vitest';
import { monotonicNs } from '../engine/clock';
import { LiveRun } from '../engine/runs/live-run';
import { WatchRun } from '../engine/runs/watch-run';
import type { FollowedStreams } from '../engine/streams/followed-streams';
import { StreamViews } from '../engine/streams/stream-view';
import { WatchSet } from '../engine/streams/watch-set';
import type { StreamView } from '../protocol/console';
import { defaultThresholds } from '../protocol/thresholds';
import type { Verdict } from '../protocol/verdict';
import { type Row, streamRowsOf } from '../protocol/version-1/row';
import { FakeApplication } from './fake-application';
import { flatRow, flatStreamsRow } from './flat-rows';
import { loadSample } from './load-sample';
import { TestClocks } from './measured-row';
import { type Played, PlayedSender } from './played-sender';
import { recorderIn } from './recorder';
import { RemoteSender, type SenderKind } from './remote-sender';
import { pass, passUntil, stopTime } from './simulated-time';

const boot = 'this-boot';
const wallOffsetUs = 0;

export interface Ended {
  verdict: Verdict | null;
  reason: string;
  rows: Row[];
}

/** Remote senders that are followed in a simulated time, by a run that is live or a watch. */
export class OutageBench {
  readonly application = new FakeApplication();
  readonly events: { kind: string; text: string }[] = [];
  readonly senders: RemoteSender[] = [];
  private readonly played: PlayedSender[] = [];
  shown: StreamView[] = [];
  private readonly set: WatchSet;
  private readonly views: StreamViews;
  private readonly timers: NodeJS.Timeout[] = [];

  private constructor() {
    const noteEvent = (kind: string, text: string): void => void this.events.push({ kind, text });
    this.set = new WatchSet({
      ...{ application: this.application, ndiCandidates: [], wallOffsetUs, boot, noteEvent },
    });
    this.views = new StreamViews({
      ...{ thresholds: defaultThresholds, warmUpSeconds: 2, wallOffsetUs, isSenderRemote: true, noteEvent },
      ...{ set: this.set.followed, clocks: new TestClocks() },
    });
    this.every(500, () => this.views.noteLoad(loadSample({ atNs: monotonicNs() })));
    this.every(250, () => {
      this.shown = this.views.views(this.followed.streams, monotonicNs());
    });
  }

  /** From now on time is the test's: `pass` lets it go by. */
  static async start(): Promise<OutageBench> {
    stopTime();
    const bench = new OutageBench();
    await bench.set.start();
    return bench;
  }

  get followed(): FollowedStreams {
    return this.set.followed;
  }

  get sender(): RemoteSender {
    const [sender] = this.senders;
    if (!sender) throw new Error('there is no sender');
    return sender;
  }

  pass(seconds: number): Promise<void> {
    return pass(seconds * 1000);
  }

  async follow(kind: SenderKind, isThere = true): Promise<void> {
    const name = `x${this.senders.length + 1}`;
    const { id } = await this.followed.add(name);
    const stream = { streamId: id, sourceName: `HOST (${name})`, kind, boot };
    const sender = new RemoteSender(this.application, stream);
    if (!isThere) sender.vanish();
    this.senders.push(sender);
  }

  /** A live run, and how to end it. Each sender is added by the operator. */
  async live(folder: string, kinds: readonly SenderKind[]) {
    const { recorder } = recorderIn(folder);
    this.every(500, () => {
      const atNs = monotonicNs();
      recorder.sample(loadSample({ atNs, wallMs: atNs / 1e6 }));
    });
    const run = new LiveRun({
      ...{ set: this.followed, recorder, thresholds: defaultThresholds, wallOffsetUs, warmUpSeconds: 2 },
      ...{ isSenderRemote: true, clocks: new TestClocks() },
      close: () => this.followed.removeAll(),
      onRow: () => undefined,
      onProblem: (error) => {
        throw error;
      },
    });
    await passUntil(run.start());
    this.every(250, () => run.tick(monotonicNs()));
    const add = (kind: SenderKind, isThere = true) =>
      passUntil(
        run.add(async () => {
          await this.follow(kind, isThere);
          const added = this.followed.streams[this.followed.streams.length - 1];
          if (!added) throw new Error('no stream was added');
          return added;
        }),
      );
    for (const kind of kinds) await add(kind);
    const end = async (): Promise<Ended> => {
      const ended = await passUntil(run.end());
      return {
        ...ended,
        rows: streamRowsOf(recorder.rows.map(flatRow)).filter(({ streams }) => streams > 0),
      };
    };
    return { run, add, end };
  }

  /** A sender whose pictures a test makes up. */
  async followPlayed(played: Played): Promise<void> {
    const { id } = await this.followed.add(`x${this.played.length + 1}`);
    this.played.push(new PlayedSender(this.application, id, played));
  }

  /** A watch of senders that send already, and how to end it. */
  async watch(kinds: readonly SenderKind[]) {
    for (const kind of kinds) await this.follow(kind);
    // So that rows do not end with a report.
    await this.pass(0.05);
    const abort = new AbortController();
    const rows: Row[] = [];
    const run = new WatchRun({
      ...{ set: this.followed, isSenderRemote: true, thresholds: defaultThresholds, wallOffsetUs },
      rowSeconds: 10,
      clocks: new TestClocks(),
      ...{ signal: abort.signal, noteEvent: () => undefined },
      ...{
        onViews: () => undefined,
        onState: () => undefined,
        onRow: (row) => rows.push(flatStreamsRow(row)),
      },
    });
    this.every(500, () => run.addSample(loadSample({ atNs: monotonicNs() })));
    const over = run.run(Number.POSITIVE_INFINITY);
    const end = async (): Promise<Ended> => {
      abort.abort();
      await passUntil(over);
      return { ...run.outcome(['x']), rows };
    };
    return { end };
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer);
    for (const sender of [...this.senders, ...this.played]) sender.close();
    this.set.close();
    vi.useRealTimers();
  }

  private every(milliseconds: number, act: () => void): void {
    this.timers.push(setInterval(act, milliseconds));
  }
}
