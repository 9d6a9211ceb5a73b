import { beforeEach, describe, expect, test } from 'vitest';
import type { StreamsContext } from '../../engine/experiment/experiment';
import { defaultThresholds } from '../../protocol/thresholds';
import { SimulatedClock } from '../../testing/simulated-clock';
import { streamLoadParameters } from './declaration';
import { RampStreams } from './ramp-streams';

/** What was asked of the streams, in order. */
let asked: string[] = [];
let abort = new AbortController();
let clock: SimulatedClock;
beforeEach(() => {
  asked = [];
  abort = new AbortController();
  clock = new SimulatedClock();
});

interface FakeStream {
  id: number;
  source: { name: string };
  addedNs: number;
  firstCaptureNs: number;
  isReady(): boolean;
}

/** A set of streams that show their first picture at once, unless set otherwise. */
function rampStreamsOf(input: Record<string, unknown>, connects = true): RampStreams {
  const streams: FakeStream[] = [];
  const set = {
    streams,
    recovering: false,
    countedToNs: (nowNs: number) => nowNs,
    openSource(
      settings: { source: string; format: string },
      options: { beside: boolean; ownProcess: boolean },
    ) {
      const where = `${options.beside ? ' beside' : ''}${options.ownProcess ? ' apart' : ''}`;
      asked.push(`open ${settings.source} ${settings.format}${where}`);
      return Promise.resolve({ name: settings.source });
    },
    closeSource({ name }: { name: string }) {
      asked.push(`close ${name}`);
      return Promise.resolve();
    },
    addStream(_: string, { source }: { source: { name: string } }) {
      asked.push(`add ${source.name}`);
      const nowNs = clock.monotonicNs();
      const firstCaptureNs = connects ? nowNs : 0;
      streams.push({ id: asked.length, source, addedNs: nowNs, firstCaptureNs, isReady: () => true });
      return Promise.resolve(streams[streams.length - 1]);
    },
    removeStream(stream: FakeStream) {
      asked.push(`remove ${stream.source.name}`);
      streams.splice(streams.indexOf(stream), 1);
      return Promise.resolve();
    },
  };
  const thresholds = { ...defaultThresholds, connectTimeoutSeconds: 0.2 };
  const context = {
    clock,
    streams: { set },
    signal: abort.signal,
    thresholds,
  } as unknown as StreamsContext;
  const parameters = { format: '640x360@30', warmUpSeconds: 0.3, ...input };
  return new RampStreams(streamLoadParameters.parse(parameters), context);
}

/** What was asked since the last time. */
const since = (): string[] => asked.splice(0);

describe('sources', () => {
  const mix = ['noise 320x180@25', 'white-line'];

  test('that are shared all play in row 0, and are taken in turn', async () => {
    const rampStreams = rampStreamsOf({ mix });
    await rampStreams.open();
    expect(since()).toEqual(['open noise 320x180@25', 'open white-line 640x360@30 beside']);
    await rampStreams.bring(3);
    expect(since()).toEqual(['add noise', 'add white-line', 'add noise']);
    await rampStreams.bring(1);
    await rampStreams.bring(2);
    expect(since()).toEqual(['remove noise', 'remove white-line', 'add white-line']);
  });

  test('of which each stream has its own come and go with the streams, and the first stays', async () => {
    const rampStreams = rampStreamsOf({ mix, sources: 'each' });
    await rampStreams.open();
    expect(since()).toEqual(['open noise 320x180@25']);
    await rampStreams.bring(3);
    expect(since()).toEqual([
      ...['add noise', 'open white-line 640x360@30 beside', 'add white-line'],
      ...['open noise 320x180@25 beside', 'add noise'],
    ]);
    await rampStreams.bring(0);
    expect(since()).toEqual([
      'remove noise',
      'close noise',
      'remove white-line',
      'close white-line',
      'remove noise',
    ]);
    await rampStreams.bring(1);
    expect(since()).toEqual(['add noise']);
  });

  test('live in processes of their own where that is wanted', async () => {
    const rampStreams = rampStreamsOf({ processes: 'each' });
    await rampStreams.open();
    await rampStreams.bring(2);
    expect(since()).toEqual([
      ...['open white-line 640x360@30 apart', 'add white-line'],
      ...['open white-line 640x360@30 beside apart', 'add white-line'],
    ]);
  });
});

test('an abort leaves the streams as they are', async () => {
  const rampStreams = rampStreamsOf({});
  await rampStreams.open();
  await rampStreams.bring(2);
  abort.abort();
  await rampStreams.bring(5);
  await rampStreams.bring(0);
  expect(since()).toEqual(['open white-line 640x360@30', 'add white-line', 'add white-line']);
  expect(rampStreams.newest?.id).toBe(3);
  expect(await clock.until(rampStreams.warmUp(() => undefined))).toBe(false);
});

test('streams that stay while others are removed are given their warm-up again', async () => {
  const rampStreams = rampStreamsOf({});
  await rampStreams.open();
  await rampStreams.bring(3);
  await clock.until(rampStreams.warmUp(() => undefined));
  await rampStreams.bring(2);
  const removedNs = clock.monotonicNs();
  let connected = 0;
  expect(
    await clock.until(
      rampStreams.warmUp(() => {
        connected += 1;
      }),
    ),
  ).toBe(true);
  expect(connected).toBe(1);
  expect(clock.monotonicNs() - removedNs).toBe(0.3e9);
});

test('a stream that shows no picture in time is reported', async () => {
  const rampStreams = rampStreamsOf({}, false);
  await rampStreams.open();
  await rampStreams.bring(1);
  expect(await clock.until(rampStreams.warmUp(() => undefined))).toBe(false);
});
