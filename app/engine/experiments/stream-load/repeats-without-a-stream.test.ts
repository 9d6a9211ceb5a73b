import { expect, test } from 'vitest';
import { streamLoadParameters } from '../../../protocol/experiments/stream-load/declaration';
import type { StreamsRow } from '../../../protocol/stream-row';
import { defaultThresholds } from '../../../protocol/thresholds';
import { changedRow, exampleRow } from '../../../testing/example-run';
import { monotonicNs } from '../../clock';
import type { StreamsContext } from '../experiment';
import { RampRun } from './ramp-run';
import { streamLoadVerdict } from './verdict';

/** A stream that is gone for good after the first of three repeats; a row without its picture is FAIL, as it is measured. */
function context(): StreamsContext {
  const streams: { firstCaptureNs: number; addedNs: number }[] = [];
  const isThere = (): boolean => streams.every(({ firstCaptureNs }) => firstCaptureNs > 0);
  const set = {
    streams,
    recovering: false,
    openSource: () => Promise.resolve({}),
    addStream() {
      const nowNs = monotonicNs();
      streams.push({ ...{ addedNs: nowNs, firstCaptureNs: nowNs }, isReady: () => true } as never);
      return Promise.resolve();
    },
  };
  return {
    signal: new AbortController().signal,
    thresholds: defaultThresholds,
    progress: () => undefined,
    ndi: {
      streams: set,
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
    holdSeconds: 0.5,
    warmUpSeconds: 0.2,
    maxStreams: 1,
    repeats: 3,
    stopOn: ['sender-miss'],
  };
  for await (const row of new RampRun(streamLoadParameters.parse(parameters), context()).rows())
    rows.push(row);
  const { verdict, reason } = streamLoadVerdict(rows, { goal: 1, maxStreams: 1 });
  expect([verdict, reason]).toEqual(['FAIL', expect.anything()]);
});
