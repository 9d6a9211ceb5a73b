import { afterEach, beforeEach, expect, test } from 'vitest';
import { beatMs } from '../../protocol/beat';
import { audioRecords, clockRecords } from '../../protocol/record-block';
import { PictureClass, PictureStatus } from '../../protocol/records';
import { type Capture, captures } from '../../testing/columns';
import { OutageBench } from '../../testing/outage-bench';

let bench: OutageBench;
beforeEach(async () => {
  bench = await OutageBench.start();
});
afterEach(() => {
  bench.close();
});

/** A sender of 60 frames a second without our code, whose frames are held up once for a while and come all together. */
async function follow(holdFrom: number, holdSeconds: number): Promise<void> {
  const { id } = await bench.followed.add('x1');
  const startNs = bench.clock.monotonicNs();
  const [fromNs, toNs] = [startNs + holdFrom * 1e9, startNs + (holdFrom + holdSeconds) * 1e9];
  let next = 0;
  const captureNsOf = (frame: number): number => {
    const dueNs = startNs + (frame * 1e9) / 60;
    return dueNs >= fromNs && dueNs < toNs ? toNs + frame : dueNs;
  };
  bench.clock.every(beatMs, () => {
    const nowNs = bench.clock.monotonicNs();
    const pictures: Capture[] = [];
    for (; captureNsOf(next) < nowNs; next++)
      pictures.push({
        ...{ frameNumber: 0, status: PictureStatus.Undecodable, pictureClass: PictureClass.Other },
        ...{ captureNs: captureNsOf(next), timestampUs: (startNs + (next * 1e9) / 60) / 1000 },
      });
    const status = {
      ...{ connections: 1, width: 640, height: 360, frameFormat: 'progressive' as const, fourCC: 'UYVY' },
      ...{
        rateNumerator: 60,
        rateDenominator: 1,
        picturesCaptured: next,
        lastCaptureNs: captureNsOf(next - 1),
      },
      ...{ transportDropped: 0, transportQueueDepth: 0, metadataDropped: 0 },
    };
    const receiver = {
      ...{
        streamId: id,
        sourceName: 'HOST (x1)',
        address: '',
        openedNs: 1,
        listed: true,
        metadata: [],
        soundPeakDbfs: null,
        status,
      },
      ...{ captures: captures(pictures), audio: audioRecords.empty(), time: clockRecords.empty() },
    };
    bench.application.host('receiving').report({ atNs: nowNs, receivers: [receiver] });
  });
}

// The first row lasts from 1.3 to 11.3 s, or until a stream comes back that is silent then.
test.each([
  [5, 0.7],
  [10.85, 0.9],
  [10.88, 0.9],
  [10.9, 0.7],
  [11, 0.7],
  [11.05, 0.6],
  // They come when the watch has ended.
  [27, 2],
])('frames that are held up from %d s on, for %d s, fail a watch', async (holdFrom, holdSeconds) => {
  await follow(holdFrom, holdSeconds);
  await bench.pass(0.05);
  const run = await bench.watch([]);
  await bench.pass(28);
  const { verdict, reason, rows } = await run.end();
  expect(rows.length).toBeGreaterThan(2);
  expect([verdict, reason]).toEqual(['FAIL', expect.stringMatching(/stood still once/)]);
});
