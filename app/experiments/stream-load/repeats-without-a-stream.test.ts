import { expect, test } from 'vitest';
import type { StreamsContext } from '../../engine/experiment/experiment';
import type { StreamsRow } from '../../facts/stream-row';
import { defaultThresholds } from '../../protocol/thresholds';
import { changedRow, exampleRow } from '../../testing/example-run';
import { SimulatedClock } from '../../testing/simulated-clock';
import { streamLoadParameters } from './declaration';
import { RampRun } from './ramp-run';
import { streamLoadVerdict } from './verdict';

/** A stream that is gone for good after the first of three repeats; a row without its picture is FAIL, as it is measured. */
function contextOf(clock: SimulatedClock): StreamsContext {
  const streams: { firstCaptureNs: number; addedNs: number }[] = [];
  const isThere = (): boolean => streams.every(({ firstCaptureNs }) => firstCaptureNs > 0);
  const set = {
    streams,
    recovering: false,
    countedToNs: (nowNs: number) => nowNs,
    openSource: () => Promise.resolve({}),
    addStream() {
      const nowNs = clock.monotonicNs();
      streams.push({ ...{ addedNs: nowNs, firstCaptureNs: nowNs }, isReady: () => true } as never);
      return Promise.resolve();
    },
  };
  return {
    clock,
    signal: new AbortController().signal,
    thresholds: defaultThresholds,
    progress: () => undefined,
    streams: {
      set,
      openRow: (index: number, opened: unknown[]) => ({
        firstSlot: () => null,
        close: () => {
          const verdict = isThere() ? 'PASS' : 'FAIL';
          const [stream] = streams;
          if (index === 1 && stream) Object.assign(stream, { firstCaptureNs: 0, addedNs: 0 });
          const row = changedRow(exampleRow(index), { streams: opened.length, verdict });
          return Promise.resolve({ ...row, notMeasured: {} });
        },
      }),
    },
  } as unknown as StreamsContext;
}

test('a stream that is not back for the next repeat is no PASS', async () => {
  const rows: StreamsRow[] = [];
  const parameters = {
    holdSeconds: 1.5,
    warmUpSeconds: 0.2,
    maxStreams: 1,
    repeats: 3,
    stopOn: ['sender-miss'],
  };
  const clock = new SimulatedClock();
  const ramp = new RampRun(streamLoadParameters.parse(parameters), contextOf(clock));
  const measure = async (): Promise<void> => {
    for await (const row of ramp.rows()) rows.push(row);
  };
  await clock.until(measure());
  const { verdict, reason } = streamLoadVerdict(rows, { goal: 1, maxStreams: 1 });
  expect([verdict, reason]).toEqual(['FAIL', expect.anything()]);
});
