import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReceiverStatus } from '../protocol/records';
import type { Row } from '../protocol/row';
import { defaultThresholds } from '../protocol/thresholds';
import { captures, noAudio, noTime, testSourceId } from '../testing/columns';
import { loadSample } from '../testing/example-run';
import { FakeApplication } from '../testing/fake-application';
import { monotonicNs, sleep } from './clock';
import { WatchSet } from './streams/watch-set';
import { type StateChange, WatchRun } from './watch-run';

const periodNs = 1e9 / 60;

const status: ReceiverStatus = {
  ...{ connections: 1, width: 640, height: 360, rateNumerator: 60, rateDenominator: 1 },
  ...{ frameFormat: 'progressive', fourCC: 'UYVY', picturesCaptured: 1, lastCaptureNs: 1 },
  ...{ sdkDropped: 0, sdkQueueDepth: 0 },
};

/** A sender of 60 frames a second, as the receiving host reports it: in real time, ten times a second. */
class Sender {
  readonly lost = new Set<number>();
  sourceId = testSourceId;
  silent = false;
  private startNs = monotonicNs();
  private next = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly application: FakeApplication) {
    this.timer = setInterval(() => this.report(), 100);
  }

  /** The next start of the program: another source, whose numbers begin at 0. */
  restart(): void {
    this.sourceId += 1;
    this.startNs = monotonicNs();
    this.next = 0;
    this.silent = false;
  }

  /** Gives the last frame that was sent. */
  fallSilent(): number {
    this.silent = true;
    return this.next - 1;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private report(): void {
    const nowNs = monotonicNs();
    const pictures = [];
    for (; this.startNs + this.next * periodNs < nowNs; this.next++) {
      if (this.silent || this.lost.has(this.next)) continue;
      const captureNs = this.startNs + this.next * periodNs;
      pictures.push({ frameNumber: this.next, captureNs, sourceId: this.sourceId });
    }
    const receiver = {
      ...{ streamId: 1, sourceName: 'HOST (x)', address: '', openedNs: 1, listed: true, metadata: [] },
      ...{ captures: captures(pictures), audio: noAudio(), time: noTime(), status },
    };
    this.application.host('receiving').report({ atNs: nowNs, receivers: [receiver] });
  }
}

let application: FakeApplication;
let set: WatchSet;
let sender: Sender;
let run: WatchRun;
let abort: AbortController;
let rows: Row[];
let states: StateChange[];
let events: string[];
let sampling: NodeJS.Timeout;

beforeEach(async () => {
  application = new FakeApplication();
  [rows, states, events] = [[], [], []];
  abort = new AbortController();
  const noteEvent = (kind: string): void => void events.push(kind);
  set = new WatchSet({ ...{ application, ndiCandidates: [], wallOffsetUs: 0, boot: '' }, noteEvent });
  await set.start();
  await set.add('x');
  sender = new Sender(application);
  run = new WatchRun({
    ...{
      set,
      thresholds: defaultThresholds,
      wallOffsetUs: 0,
      rowSeconds: 2,
      signal: abort.signal,
      noteEvent,
    },
    onViews: () => undefined,
    onState: (change) => states.push(change),
    onRow: (row) => rows.push(row),
  });
  sampling = setInterval(() => run.addSample(loadSample({ atNs: monotonicNs() })), 500);
});

afterEach(() => {
  abort.abort();
  clearInterval(sampling);
  sender.close();
  set.close();
});

const seen = (): string[] => states.map(({ state }) => state);

describe('rows', () => {
  test('a row ends with the start of another sender, and the next one measures that one alone', async () => {
    const over = run.run(60);
    await vi.waitFor(() => expect(seen()).toContain('receiving'), { timeout: 5000 });
    await vi.waitFor(() => expect(set.streams[0]?.firstCaptureNs).toBeGreaterThan(0));
    await sleep(800);
    const lastFrame = sender.fallSilent();
    await vi.waitFor(() => expect(seen()).toContain('stalled'), { timeout: 3000 });
    sender.restart();
    await vi.waitFor(() => expect(rows).toHaveLength(1), { timeout: 5000 });
    expect(events).toContain('sender-restarted');
    // The next row opens behind the new sender's warm-up.
    await vi.waitFor(() => expect(seen().slice(-2)).toEqual(['warming-up', 'receiving']), { timeout: 5000 });
    await sleep(800);
    abort.abort();
    await over;
    expect(rows).toHaveLength(2);
    const [first, second] = rows.map(({ perStream }) => perStream[0]);
    expect(first).toMatchObject({ framesReordered: 0, framesMissing: 0, framesDuplicated: 0 });
    expect(second).toMatchObject({ framesReordered: 0, framesMissing: 0, framesDuplicated: 0 });
    expect(first?.lastFrame).toBe(lastFrame);
    // The numbers of the second one begin anew.
    expect(second?.firstFrame).toBeLessThan(first?.lastFrame ?? 0);
    expect(second?.connectMs).toBeGreaterThan(500);
    expect(states.at(-1)?.recoveredAfterMs).toBeGreaterThan(500);
  }, 30_000);

  test('a row waits for a stream that is silent at its end, so that what was lost is in it', async () => {
    const over = run.run(4);
    await vi.waitFor(() => expect(seen()).toContain('receiving'), { timeout: 5000 });
    await sleep(1000);
    sender.fallSilent();
    await sleep(1500);
    sender.silent = false;
    await over;
    const stream = rows[0]?.perStream[0];
    expect(rows[0]?.measuredSeconds).toBeGreaterThan(2.3);
    expect(stream?.stalls).toBe(1);
    expect(stream?.framesMissing).toBeGreaterThan(80);
    expect(stream?.framesMissing).toBe(
      (stream?.lastFrame ?? 0) - (stream?.firstFrame ?? 0) + 1 - (stream?.framesReceived ?? 0),
    );
  }, 30_000);
});
