import { beforeEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../facts/run';
import type { StreamState } from '../../protocol/console';
import { DisplayStage } from '../../protocol/display';
import type { ReceiverReport } from '../../protocol/host';
import { audioRecords, clockRecords } from '../../protocol/record-block';
import { PictureClass, PictureStatus, type ReceiverStatus } from '../../protocol/records';
import { captures, range, testSourceId } from '../../testing/columns';
import { TestStream } from '../../testing/test-stream';
import { DisplayLedger } from './counting/display-ledger';
import { ForeignLedger } from './foreign/foreign-ledger';
import { ActiveSource, Stream } from './stream';
import { StreamEvents } from './stream-events';
import { type ExplainedStream, explain } from './stream-states';

const seconds = (value: number): number => value * 1e9;
const limits = { warmUpSeconds: 1, connectTimeoutSeconds: 10 };
const rate = { numerator: 60, denominator: 1 };
/** When the stream is added. */
const startNs = seconds(100);

let stream: Stream;
let events: { kind: RunEvent['kind']; text: string; details?: Record<string, unknown> }[];
let reported: StreamEvents;

beforeEach(() => {
  stream = new Stream(
    1,
    'Elsewhere 1',
    new ActiveSource(1, 'x', { width: 640, height: 360, rate }),
    startNs,
    0,
  );
  events = [];
  reported = new StreamEvents((kind, text, details) => events.push({ kind, text, details }));
});

interface Seen {
  found?: boolean;
  connections?: number | null;
  listed?: boolean | null;
  /** When pictures came, seconds behind the start. */
  pictures?: number[];
  pictureClass?: number;
}

/** What the receiving host says so many seconds behind the start. */
function report(atSeconds: number, seen: Seen = {}): void {
  const {
    found = true,
    connections = 1,
    listed = true,
    pictures = [],
    pictureClass = PictureClass.Black,
  } = seen;
  const nowNs = startNs + seconds(atSeconds);
  const status: ReceiverStatus = {
    ...{ connections, width: 640, height: 360, rateNumerator: 60, rateDenominator: 1 },
    ...{ frameFormat: 'progressive', fourCC: 'UYVY', picturesCaptured: 0, lastCaptureNs: 0 },
    ...{ transportDropped: 0, transportQueueDepth: 0, metadataDropped: 0 },
  };
  const message: ReceiverReport = {
    ...{ streamId: 1, sourceName: found ? 'HOST (Elsewhere 1)' : '', address: '', listed },
    ...{ openedNs: found ? startNs : 0, status: found ? status : null, metadata: [], soundPeakDbfs: null },
    captures: captures(
      pictures.map((at) => ({
        ...{
          frameNumber: 0,
          captureNs: startNs + seconds(at),
          status: PictureStatus.Undecodable,
          pictureClass,
        },
      })),
    ),
    ...{ audio: audioRecords.empty(), time: clockRecords.empty() },
  };
  stream.addReceiverReport(message, nowNs);
  reported.look(stream, nowNs);
}

const state = (atSeconds: number): StreamState => stream.state(startNs + seconds(atSeconds), limits);

/** Pictures 60 times a second, of a sender without code unless the class says otherwise. */
function pictures(from: number, to: number, seen: Seen = {}): void {
  const count = Math.round((to - from) * 60);
  report(to, {
    pictureClass: PictureClass.Other,
    ...seen,
    pictures: range(0, count).map((k) => from + k / 60),
  });
}

function follow(): void {
  stream.foreign = new ForeignLedger({ rate, frameFormat: 'progressive' });
  stream.foreign.firstCaptureNs = startNs + seconds(1);
}

describe('before video', () => {
  test('it is looked for, found, and connected without video', () => {
    report(0.1, { found: false, listed: false });
    expect(state(0.2)).toBe('searching');
    report(0.5, { connections: 0 });
    expect(state(0.6)).toBe('connecting');
    report(1, { connections: 1 });
    expect(state(3.9)).toBe('connecting');
    expect(state(4.1)).toBe('no-video');
    report(4.2);
    expect(events.map(({ details }) => details?.state)).toEqual(['connecting', 'no-video']);
  });

  test('an entry that no one answers is stale, and gone when discovery forgets it', () => {
    report(0.1, { found: false });
    report(0.5, { connections: 0 });
    expect(state(3.4)).toBe('connecting');
    expect(state(3.6)).toBe('stale-entry');
    report(5, { connections: 0, listed: false });
    expect(state(5)).toBe('sender-gone');
  });

  test('a sender whose connections are not known is there as long as discovery lists it', () => {
    report(0.5, { connections: null });
    expect(state(3.4)).toBe('connecting');
    expect(state(3.6)).toBe('no-video');
    report(5, { connections: null, listed: false });
    expect(state(8.1)).toBe('sender-gone');
    expect(stream.connectionHistory.goneNs(startNs, startNs + seconds(9))).toBe(0);
  });

  test('an address that was given and does not answer has no video after ten seconds', () => {
    report(0.5, { connections: 0, listed: null });
    expect(state(9.9)).toBe('connecting');
    expect(state(10.1)).toBe('no-video');
  });
});

test('pictures of which it is not known yet whether they carry a code are no trouble, unless nobody shows them', () => {
  report(0.1, { found: false });
  report(0.5, { connections: 1 });
  for (const [pictureClass, expected] of [
    [PictureClass.Other, 'warming-up'],
    [PictureClass.Frozen, 'warming-up'],
    [PictureClass.Black, 'undecodable'],
    [PictureClass.SolidGreen, 'undecodable'],
    [PictureClass.Placeholder, 'undecodable'],
  ] as const) {
    pictures(1, 1.2, { pictureClass });
    expect(state(1.3)).toBe(expected);
  }
});

describe('with video', () => {
  beforeEach(() => {
    report(0.1, { found: false });
    report(0.5, { connections: 1 });
    follow();
    pictures(1, 3);
  });

  test('it warms up and is received', () => {
    expect(state(1.9)).toBe('warming-up');
    expect(state(3.4)).toBe('receiving');
  });

  test('half a second without a picture is a stall, and its end a recovery from picture to picture', () => {
    expect(state(3.49)).toBe('receiving');
    report(3.6);
    expect(state(3.6)).toBe('stalled');
    pictures(5.25, 5.5);
    expect(state(5.5)).toBe('receiving');
    expect(stream.watchdog.lastRecovery?.afterMs).toBeCloseTo(2250, 6);
    expect(events.at(-1)).toMatchObject({
      kind: 'stream-recovered',
      text: 'Elsewhere 1: pictures again after 2.3 s',
      details: { afterMs: expect.closeTo(2250, 6) },
    });
    expect(events.filter(({ kind }) => kind === 'stream-stalled')).toHaveLength(1);
    pictures(5.55, 8);
    expect(events.filter(({ kind }) => kind === 'stream-recovered')).toHaveLength(1);
  });

  test('a sender without our code that is silent again and again is reported once, and when it is so for much longer', () => {
    const reportedNow = () => events.splice(0).map(({ kind }) => kind);
    reportedNow();
    const silentFor = (from: number, to: number) => {
      report(from + 0.6);
      pictures(to, to + 0.25);
      return reportedNow();
    };
    expect(silentFor(3, 5)).toEqual(['stream-stalled', 'stream-recovered']);
    expect(silentFor(5.25, 7)).toEqual([]);
    expect(silentFor(7.25, 8)).toEqual([]);
    expect(silentFor(8.25, 15)).toEqual(['stream-recovered']);
    expect(silentFor(15.25, 20)).toEqual([]);
    report(20.85, { connections: 0 });
    report(22, { connections: 1 });
    pictures(22, 22.25);
    expect(events.splice(0).at(-1)?.text).toMatch(
      /^Elsewhere 1: pictures again after 1.8 s, about 104 frames at 60 fps/,
    );
  });

  test('nobody is blamed for a silence that may be meant', () => {
    report(3.6);
    const [event] = events.filter(({ kind }) => kind === 'stream-stalled');
    expect(event?.text).toMatch(/the sender is connected, and may send only when its picture changes$/);
    expect(event?.details?.remedy).not.toMatch(/link|remove a stream|full/);
    report(3.8, { connections: 0 });
    const explained = {
      ...{
        pictureClass: 0,
        receiver: null,
        reportsRecords: false,
        receiverTrouble: null,
        stoppedProcessId: null,
        timedOut: false,
      },
      followedBy: 'times' as const,
      ...{ isConnected: false, isRepeating: false, connectTimeoutSeconds: 10, downLinks: [], backLinks: [] },
    };
    expect(explain('stalled', explained).text).toMatch(/the connection is gone/);
    const green = { ...explained, pictureClass: PictureClass.SolidGreen };
    expect(explain('undecodable', green).remedy).toMatch(/^If the sender does not show green itself/);
  });

  test('no connection and no entry any more: the sender is gone', () => {
    report(3.6, { connections: 0, listed: true });
    expect(state(3.6)).toBe('stalled');
    report(3.9, { connections: 0, listed: false });
    expect(state(3.9)).toBe('sender-gone');
    expect(events.at(-1)).toMatchObject({ kind: 'stream-state', details: { state: 'sender-gone' } });
  });

  test('no connection but still listed for three seconds: the entry is stale', () => {
    report(3.6, { connections: 0 });
    expect([state(5.9), state(6.1)]).toEqual(['stalled', 'stale-entry']);
  });

  test('a connection to an address that no one lists is gone after three seconds', () => {
    report(3.6, { connections: 0, listed: null });
    expect([state(5.9), state(6.1)]).toEqual(['stalled', 'sender-gone']);
  });

  test('connected again, but no picture for three seconds: no video', () => {
    report(3.6, { connections: 0 });
    report(4, { connections: 1 });
    expect([state(6.9), state(7.1)]).toEqual(['connecting', 'no-video']);
  });

  test('gone and listed again: it is waited for, before its entry is stale', () => {
    report(3.6, { connections: 0, listed: false });
    report(8, { connections: 0, listed: true });
    expect([state(8), state(10.9), state(11.1)]).toEqual(['connecting', 'connecting', 'stale-entry']);
  });

  test('pictures of another source that is not followed yet are none of its own', () => {
    stream.changing = true;
    expect(state(3.1)).toBe('connecting');
  });

  test('pictures of another sender are reported for two seconds', () => {
    stream.watchdog.noteWrongPicture(startNs + seconds(3));
    expect([state(3.4), state(5.1)]).toEqual(['wrong-source', 'stalled']);
  });

  test('solid green and the placeholder are no pictures, black may be meant', () => {
    for (const [pictureClass, expected] of [
      [PictureClass.SolidGreen, 'undecodable'],
      [PictureClass.Black, 'receiving'],
      [PictureClass.Placeholder, 'undecodable'],
      [PictureClass.Frozen, 'receiving'],
    ] as const) {
      pictures(3, 3.2, { pictureClass });
      expect(state(3.3)).toBe(expected);
    }
  });
});

test('each picture without a code has its own cause, and every state a text', () => {
  const stream = {
    followedBy: 'code' as const,
    ...{
      isConnected: true,
      isRepeating: false,
      receiver: null,
      reportsRecords: true,
      receiverTrouble: null,
      stoppedProcessId: null,
    },
    ...{ timedOut: false, connectTimeoutSeconds: 10, downLinks: [], backLinks: [] },
  };
  const classes = Object.values(PictureClass).filter((pictureClass) => pictureClass !== PictureClass.Coded);
  const explanations = classes.map((pictureClass) => explain('undecodable', { ...stream, pictureClass }));
  expect(new Set(explanations.map(({ text }) => text)).size).toBe(classes.length);
  expect(new Set(explanations.map(({ remedy }) => remedy)).size).toBe(classes.length);
  const troubles: StreamState[] = [
    ...(['searching', 'connecting', 'no-video', 'wrong-source', 'sender-gone', 'stale-entry'] as const),
  ];
  for (const trouble of troubles) {
    const { text, remedy } = explain(trouble, { ...stream, pictureClass: PictureClass.Coded });
    expect([trouble, text !== '', remedy !== '']).toEqual([trouble, true, true]);
  }
  const dead = explain('stalled', { ...stream, pictureClass: 0, receiverTrouble: 'died' });
  expect(dead.text).toMatch(/receiving process died/);
  expect(dead.remedy).not.toMatch(/link/);
  for (const state of ['receiving', 'wrong-source'] as const)
    expect(explain(state, { ...stream, pictureClass: 0, downLinks: ['eth0'] }).text).not.toMatch(/link/);
  const unreached = explain('no-video', { ...stream, pictureClass: 0, isConnected: false });
  expect(unreached.text).toBe('No picture comes, and there is no connection to the address');
  expect(unreached.remedy).toMatch(/^Check the address and its port/);
  const late = explain('searching', { ...stream, pictureClass: 0, timedOut: true });
  expect(late.text).toBe('No sender of this name was found within 10 s');
});

test.each<[string, Partial<ExplainedStream>, string, RegExp]>([
  [
    'the last picture comes again',
    { isRepeating: true },
    'No new picture for more than half a second: the last one came again',
    /^Check what the sender plays\.$/,
  ],
  ['connected: no guess', {}, 'No new picture for more than half a second; the sender is connected', /^$/],
  [
    'the connection is gone: look after the sender',
    { isConnected: false },
    'No new picture for more than half a second, and the connection is gone',
    /^Check that the sender runs, and restart it if it does not\. /,
  ],
  [
    'the link is down: look after the cable',
    { isConnected: false, downLinks: ['eth0'] },
    'No new picture for more than half a second, and the connection is gone; eth0 has no link',
    /^Check the cable of eth0, what is at its other end, and that the interface is switched on\.$/,
  ],
  [
    'our own process is stopped: nothing is said of the sender',
    { isConnected: false, receiverTrouble: 'stopped', stoppedProcessId: 4711, downLinks: ['eth0'] },
    'Whiteline’s receiving process is stopped: nothing is known of the sender',
    /^Let it go on \(kill -CONT 4711\), or close the debugger that holds it\.$/,
  ],
  [
    'our own process was stopped and goes on: nothing is to be done',
    { isConnected: false, receiverTrouble: 'stopped' },
    'Whiteline’s receiving process was stopped: nothing is known of the sender',
    /^$/,
  ],
  [
    'the link is back',
    { isConnected: false, backLinks: [{ name: 'eth0', downSeconds: 3 }] },
    'No new picture for more than half a second, and the connection is gone; eth0 had no link for 3.0 s, and has it again',
    /^Whiteline connects again by itself/,
  ],
])('a stall, %s', (_, change, text, remedy) => {
  const explained = explain('stalled', {
    ...{
      followedBy: 'code' as const,
      isConnected: true,
      isRepeating: false,
      receiver: null,
      pictureClass: 0,
    },
    ...{
      reportsRecords: true,
      receiverTrouble: null,
      stoppedProcessId: null,
      timedOut: false,
      connectTimeoutSeconds: 10,
    },
    ...{ downLinks: [], backLinks: [], ...change },
  });
  expect(explained.text).toBe(text);
  expect(explained.remedy).toMatch(remedy);
});

test('a picture that cannot be read is named by its format, with what to send instead', () => {
  const stream = {
    followedBy: 'code' as const,
    ...{
      isConnected: true,
      isRepeating: false,
      reportsRecords: true,
      receiverTrouble: null,
      stoppedProcessId: null,
      downLinks: [],
      backLinks: [],
    },
    ...{ timedOut: false, connectTimeoutSeconds: 10 },
  };
  const explained = (fourCC: string) => {
    const receiver = { fourCC, width: 641, height: 360 };
    return explain('undecodable', { ...stream, pictureClass: PictureClass.Other, receiver });
  };
  expect(explained('P216').text).toBe(
    'Pictures come (P216, 641×360), but the frame code cannot be read in them',
  );
  expect(explained('P216').remedy).toBe(
    'Let the sender send one of UYVY, UYVA, BGRA, BGRX: no other is read.',
  );
  expect(explained('UYVY').remedy).toMatch(/crops, scales or covers/);
  expect(explained('').text).toBe('Pictures come, but the frame code cannot be read in them');
});

test('a display window that shows a stream is an event, and so is its end, with what it did not show', () => {
  const shown = new TestStream();
  shown.send(0, 59);
  shown.receive(0, 59);
  stream.display = new DisplayLedger(shown.ledger);
  const { presented, captured } = DisplayStage;
  const reportDisplay = (atSeconds: number, frameNumbers: number[], fate: number) => {
    const columns = {
      sourceIds: frameNumbers.map(() => testSourceId),
      frameNumbers,
      fates: frameNumbers.map(() => fate),
    };
    const nowNs = startNs + seconds(atSeconds);
    stream.display?.add({ streamId: 1, isPresentationKnown: true, ticksMissed: 1, ...columns }, nowNs);
    reported.look(stream, nowNs);
  };
  const ofDisplay = () => events.filter(({ kind }) => kind.startsWith('display-'));
  report(1);
  reportDisplay(2, range(0, 9), presented);
  reportDisplay(2.5, range(10, 12), captured);
  reported.look(stream, startNs + seconds(3.4));
  // Another sender in its place: the window reports its frames soon.
  const before = stream.display;
  stream.display = new DisplayLedger(shown.ledger);
  reported.look(stream, startNs + seconds(3.5));
  stream.display = before;
  reportDisplay(3.6, [], presented);
  expect(ofDisplay()).toEqual([
    { kind: 'display-shown', text: 'Elsewhere 1: a display window shows it', details: {} },
  ]);
  reported.look(stream, startNs + seconds(4.6));
  reported.look(stream, startNs + seconds(5.7));
  reported.look(stream, startNs + seconds(6));
  expect(ofDisplay().slice(1)).toEqual([
    {
      kind: 'display-ended',
      text: 'Elsewhere 1: no display window shows it any more; of 13 frames that it reported, 3 were not shown',
      details: { reported: 13, missed: 3, ticksMissed: 3 },
    },
  ]);
  reportDisplay(7, [13], presented);
  expect(ofDisplay().map(({ kind }) => kind)).toEqual(['display-shown', 'display-ended', 'display-shown']);
});

test('a report of another process says nothing of pictures whose report is not read yet', () => {
  expect(stream.knownToNs(startNs + seconds(5))).toBe(startNs + seconds(5));
  report(3, { pictures: [1, 2, 2.9] });
  const knownNs = stream.knownToNs(startNs + seconds(5));
  expect(knownNs).toBe(startNs + seconds(3));
  reported.look(stream, knownNs);
  expect(events.map(({ kind }) => kind)).not.toContain('stream-stalled');
  // Of a process that died no report is to come.
  stream.loseReceiver(startNs + seconds(4));
  expect(stream.knownToNs(startNs + seconds(5))).toBe(startNs + seconds(5));
});
