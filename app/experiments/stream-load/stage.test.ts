import { beforeEach, describe, expect, test } from 'vitest';
import type { StreamsContext } from '../../engine/experiment/experiment';
import { defaultThresholds } from '../../protocol/thresholds';
import { SimulatedClock } from '../../testing/simulated-clock';
import { streamLoadParameters } from './declaration';
import { Stage } from './stage';

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
function stageOf(input: Record<string, unknown>, connects = true): Stage {
  const streams: FakeStream[] = [];
  const set = {
    streams,
    recovering: false,
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
  return new Stage(streamLoadParameters.parse(parameters), context);
}

/** What was asked since the last time. */
const since = (): string[] => asked.splice(0);

describe('sources', () => {
  const mix = ['noise 320x180@25', 'white-line'];

  test('that are shared all play in row 0, and are taken in turn', async () => {
    const stage = stageOf({ mix });
    await stage.open();
    expect(since()).toEqual(['open noise 320x180@25', 'open white-line 640x360@30 beside']);
    await stage.bring(3);
    expect(since()).toEqual(['add noise', 'add white-line', 'add noise']);
    await stage.bring(1);
    await stage.bring(2);
    expect(since()).toEqual(['remove noise', 'remove white-line', 'add white-line']);
  });

  test('of which each stream has its own come and go with the streams, and the first stays', async () => {
    const stage = stageOf({ mix, sources: 'each' });
    await stage.open();
    expect(since()).toEqual(['open noise 320x180@25']);
    await stage.bring(3);
    expect(since()).toEqual([
      ...['add noise', 'open white-line 640x360@30 beside', 'add white-line'],
      ...['open noise 320x180@25 beside', 'add noise'],
    ]);
    await stage.bring(0);
    expect(since()).toEqual([
      'remove noise',
      'close noise',
      'remove white-line',
      'close white-line',
      'remove noise',
    ]);
    await stage.bring(1);
    expect(since()).toEqual(['add noise']);
  });

  test('live in processes of their own where that is wanted', async () => {
    const stage = stageOf({ processes: 'each' });
    await stage.open();
    await stage.bring(2);
    expect(since()).toEqual([
      ...['open white-line 640x360@30 apart', 'add white-line'],
      ...['open white-line 640x360@30 beside apart', 'add white-line'],
    ]);
  });
});

test('an abort leaves the streams as they are', async () => {
  const stage = stageOf({});
  await stage.open();
  await stage.bring(2);
  abort.abort();
  await stage.bring(5);
  await stage.bring(0);
  expect(since()).toEqual(['open white-line 640x360@30', 'add white-line', 'add white-line']);
  expect(stage.newest?.id).toBe(3);
  expect(await clock.until(stage.warmUp(() => undefined))).toBe(false);
});

test('streams that stay while others are removed are given their warm-up again', async () => {
  const stage = stageOf({});
  await stage.open();
  await stage.bring(3);
  await clock.until(stage.warmUp(() => undefined));
  await stage.bring(2);
  const removedNs = clock.monotonicNs();
  let connected = 0;
  expect(
    await clock.until(
      stage.warmUp(() => {
        connected += 1;
      }),
    ),
  ).toBe(true);
  expect(connected).toBe(1);
  expect(clock.monotonicNs() - removedNs).toBe(0.3e9);
});

test('a stream that shows no picture in time is reported', async () => {
  const stage = stageOf({}, false);
  await stage.open();
  await stage.bring(1);
  expect(await clock.until(stage.warmUp(() => undefined))).toBe(false);
});
