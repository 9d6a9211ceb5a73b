import { expect, test } from 'vitest';
import { PictureStatus } from '../../protocol/records';
import { type Capture, captures, range, testSourceId } from '../../testing/columns';
import { ReleasesThere, ReleaseWitness } from './release-witness';

const wallOffsetUs = 1_764_433_000_000_000;
const periodNs = 1e9 / 60;
const wrap = 2 ** 48;

/** A machine that says so of its wall offset, and writes release times by another one. */
function machine(writtenUs = wallOffsetUs) {
  const releases = new ReleasesThere();
  const witness = new ReleaseWitness({ name: 'render-1', wallOffsetUs }, releases);
  const nsOf = (slot: number): number => 3600e9 + slot * periodNs;
  return {
    witness,
    report: (first: number, last: number) =>
      releases.add(
        Uint32Array.from(range(first, last)),
        Float64Array.from(range(first, last), (slot) => nsOf(slot)),
      ),
    show: (first: number, last: number, change: Partial<Capture> = {}) =>
      witness.add(
        captures(
          range(first, last).map((slot) => ({
            ...{ frameNumber: slot, captureNs: 1, sourceId: testSourceId },
            releaseTimeUs: (Math.floor(nsOf(slot) / 1000) + writtenUs) % wrap,
            ...change,
          })),
        ),
        testSourceId,
      ),
  };
}

test('release times that are those of the records fit, whichever come first', () => {
  const { witness, report, show } = machine();
  for (let from = 0; from < 60_000; from += 600) {
    if (from % 1200 === 0) report(from, from + 599);
    show(from, from + 599);
    if (from % 1200 !== 0) report(from, from + 599);
  }
  expect(witness.misfit).toBeNull();
});

test.each([250_000, -250_000, 1e9])(
  'an offset that is wrong by %s µs is said with machine, field and value',
  (offUs) => {
    const { witness, report, show } = machine(wallOffsetUs - offUs);
    show(0, 9);
    expect(witness.misfit).toBeNull();
    report(0, 9);
    show(10, 19);
    expect(witness.misfit).toMatch(
      /^render-1 gave wallOffsetUs 1764433000000000: .* differ .* by (250|1000000)\.0 ms$/,
    );
  },
);

test('one frame that does not fit is enough, and records without a time fit nothing', () => {
  const one = machine();
  one.report(0, 99);
  one.show(0, 49);
  one.show(50, 50, { releaseTimeUs: 5 });
  one.show(51, 99);
  expect(one.witness.misfit).not.toBeNull();
  const releases = new ReleasesThere();
  const witness = new ReleaseWitness({ name: 'render-1', wallOffsetUs }, releases);
  releases.add(Uint32Array.of(1), Float64Array.of(0));
  witness.add(
    captures([{ frameNumber: 1, captureNs: 1, releaseTimeUs: (wallOffsetUs % wrap) + 7e9 }]),
    testSourceId,
  );
  expect(witness.misfit).not.toBeNull();
});

test('pictures of another source, and those that are not whole, say nothing of it', () => {
  const { witness, report, show } = machine();
  report(0, 9);
  show(0, 4, { releaseTimeUs: 5, sourceId: testSourceId + 1 });
  show(5, 9, { releaseTimeUs: 5, status: PictureStatus.Mislabelled });
  expect(witness.misfit).toBeNull();
});
