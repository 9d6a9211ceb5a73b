import { expect, test } from 'vitest';
import { buildRow } from '../../engine/streams/rows/row-builder';
import { wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { captures, range, sourceRecords, submits } from '../../testing/columns';
import { rowInput } from '../../testing/example-run';
import { samples } from '../../testing/explained-losses';
import { frameNs, TestStream } from '../../testing/test-stream';
import { breachOf, endedEarly, type Look } from './stop-rules';

/** From 5 s on each second takes 0.1 s longer to arrive: no frame is lost, and none stands still. */
function arrivalNs(slot: number): number {
  const dueNs = frameNs(slot);
  return dueNs + 2e6 + 0.1 * Math.max(0, dueNs - 5e9);
}

test('a row that was ended early because frames came late does not say that more of them were lost', () => {
  const stream = new TestStream();
  const counter = stream.open(0);
  let [sent, came] = [0, 0];
  const deliverTo = (nowNs: number): void => {
    const due: number[] = [];
    while (frameNs(sent) < nowNs) due.push(sent++);
    stream.source.add(sourceRecords(due));
    stream.ledger.addSubmits(submits(due));
    const pictures = [];
    for (; came < sent && arrivalNs(came) < nowNs; came++)
      pictures.push({ frameNumber: came, captureNs: arrivalNs(came), releaseTimeUs: frameNs(came) / 1000 });
    stream.ledger.addCaptures(captures(pictures));
  };
  const rules = { stopOn: ['loss' as const], stopAfterSeconds: 4 };
  const looks: Look[] = [{ atNs: 1e9, lost: new Map(), cpuPercent: 20, othersPercent: 0 }];
  for (const second of range(3, 30)) {
    const atNs = second * 1e9;
    deliverTo(atNs);
    // As `RowMeter.lostFrames`.
    const { lostFrames } = stream.ledger.previewTo(counter, atNs - 1e9).tally;
    looks.push({ atNs, lost: new Map([['1', lostFrames]]), cpuPercent: 20, othersPercent: 0 });
    const breach = breachOf(looks, rules, defaultThresholds);
    if (!breach) continue;
    stream.ledger.endRange(counter, atNs);
    const { last } = counter;
    while (arrivalNs(last) >= frameNs(sent)) deliverTo(frameNs(sent) + 0.1e9);
    expect(arrivalNs(last) - atNs).toBeLessThan(2e9);
    const time = { fromNs: frameNs(0), toNs: atNs };
    const row = buildRow(
      rowInput({
        ...time,
        streams: [stream.measure(counter, last)],
        samples: samples(() => ({ cpuPercent: 20 })),
      }),
    );
    expect([row.verdict, row.figures.framesDropped]).toEqual(['PASS', 0]);
    const ended = endedEarly(row, breach, { holdSeconds: 60, stopAfterSeconds: 4 }, defaultThresholds);
    expect(wordsOf(ended.reason)).not.toMatch(/lost from/);
    expect(ended.verdict).not.toBe('FAIL');
    return;
  }
  throw new Error('the rule was not broken');
});
