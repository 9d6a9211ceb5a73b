import { describe, expect, test } from 'vitest';
import { type CaptureRecords, PictureStatus } from '../../../protocol/records';
import { type Capture, captures } from '../../../testing/columns';
import { Random, seeds } from '../../../testing/random';
import { Programme } from './programme';

const periodNs = 1e9 / 30;
const [camera, titles, replay] = [301, 302, 303];
const { Undecodable, Torn, Damaged, Dimmed } = PictureStatus;

type Shown = Pick<Capture, 'sourceId' | 'frameNumber' | 'status' | 'spoiltRows'> | null;

/** What a mixer that is clocked by its output shows, period by period; null: nothing. */
class Output {
  private readonly pictures: Capture[] = [];
  private periods = 0;

  constructor(private readonly jitterNs: (period: number) => number = () => 0) {}

  show(...shown: Shown[]): this {
    for (const one of shown) {
      // What was held up comes at once.
      const beforeNs = this.pictures[this.pictures.length - 1]?.captureNs ?? 0;
      const dueNs = 1e9 + this.periods * periodNs + this.jitterNs(this.periods);
      const captureNs = Math.max(beforeNs + 1e5, dueNs);
      if (one) this.pictures.push({ ...one, captureNs });
      this.periods += 1;
    }
    return this;
  }

  run(sourceId: number, firstFrame: number, frames: number): this {
    return this.show(
      ...Array.from({ length: frames }, (_, index) => ({ sourceId, frameNumber: firstFrame + index })),
    );
  }

  /** In messages as a host sends them, four a second; so late the engine gets to read them. */
  counted(heldUpNs = 0) {
    const programme = new Programme();
    const records: CaptureRecords[] = [];
    const endNs = 1e9 + (this.periods + 90) * periodNs;
    let from = 0;
    for (let atNs = 1e9; atNs < endNs; atNs += 250e6) {
      const to = this.pictures.findIndex(({ captureNs }) => captureNs > atNs);
      const part = this.pictures.slice(from, to < 0 ? undefined : to);
      records.push(programme.add(captures(part), atNs + heldUpNs, periodNs));
      from += part.length;
    }
    const numbers = records.flatMap(({ frameNumber, status }) =>
      [...frameNumber].map((number, index) => (status[index] === Undecodable ? null : number)),
    );
    return { numbers, cuts: programme.takeCuts(), records, programme };
  }
}

/** Of numbers from the first to the last, those that did not come. */
function absent(numbers: readonly (number | null)[]): number {
  const known = new Set(numbers.filter((number): number is number => number !== null));
  return Math.max(...known) - Math.min(...known) + 1 - known.size;
}

function repeated(numbers: readonly (number | null)[]): number {
  const known = numbers.filter((number) => number !== null);
  return known.length - new Set(known).size;
}

test('where pictures around a cut come too irregularly, its missing frames are an estimate', () => {
  const random = new Random(5);
  const estimates = (jitterMs: number) =>
    new Output(() => random.whole(0, jitterMs) * 1e6)
      .run(camera, 100, 40)
      .show(null, null, null)
      .run(titles, 7000, 40)
      .counted()
      .cuts.map(({ isEstimate }) => isEstimate);
  expect([estimates(0), estimates(12), estimates(400)]).toEqual([[false], [false], [true]]);
});

describe('a mixer that', () => {
  test('cuts cleanly loses nothing: its pictures are numbered through', () => {
    const { numbers, cuts } = new Output()
      .run(camera, 100, 40)
      .run(titles, 7000, 40)
      .run(camera, 180, 40)
      .counted();
    expect([absent(numbers), repeated(numbers), numbers.length]).toEqual([0, 0, 120]);
    expect(cuts).toEqual([
      {
        ...{ atNs: 1e9 + 40 * periodNs, programmeFrame: 140 },
        from: {
          ...{ sourceId: camera, firstFrame: 100, lastFrame: 139, seconds: expect.closeTo(39 / 30) },
          ...{ frames: 40, lost: 0, repeated: 0, reordered: 0, spoilt: 0 },
        },
        to: { sourceId: titles, firstFrame: 7000 },
        ...{ missing: 0, isEstimate: false, repeated: 0, mixed: 0, torn: 0 },
      },
      expect.objectContaining({ programmeFrame: 180, to: { sourceId: camera, firstFrame: 180 } }),
    ]);
  });

  test('drops three frames at each cut: three periods without a picture', () => {
    const { numbers, cuts } = new Output()
      .run(camera, 100, 40)
      .show(null, null, null)
      .run(titles, 7003, 40)
      .show(null, null, null)
      .run(camera, 186, 40)
      .counted();
    expect(cuts.map(({ missing }) => missing)).toEqual([3, 3]);
    expect([absent(numbers), repeated(numbers)]).toEqual([6, 0]);
  });

  test.each([1, 3, 20])(
    'pauses at the cut and then shows %i pictures that it had kept: its periods are missing once',
    (kept) => {
      const pause = Array.from({ length: 20 }, () => null);
      for (const jitterMs of [0, 8]) {
        const random = new Random(7);
        const { numbers, cuts } = new Output(() => random.whole(0, jitterMs) * 1e6)
          .run(camera, 100, 40)
          .show(...pause)
          .run(titles, 7000, kept)
          .run(titles, 7020 + kept, 40)
          .run(camera, 190, 40)
          .counted();
        expect(cuts.map(({ missing }) => missing)).toEqual([20, 0]);
        expect([absent(numbers), repeated(numbers), numbers.length]).toEqual([20, 0, 120 + kept]);
      }
    },
  );

  test('pauses at the cut, and jumps further than the pause was long: what it jumped over is lost too', () => {
    const { numbers } = new Output()
      .run(camera, 100, 40)
      .show(null, null, null)
      .run(titles, 7000, 2)
      .run(titles, 7010, 40)
      .counted();
    // No more than three of the eight periods are those of the pause.
    expect(absent(numbers)).toBe(3 + 5);
  });

  test('drops frames at the cut, and others a little later: each is lost', () => {
    const { numbers } = new Output()
      .run(camera, 100, 40)
      .show(null, null, null)
      .run(titles, 7003, 5)
      .show(null, null)
      .run(titles, 7010, 40)
      .counted();
    expect(absent(numbers)).toBe(3 + 2);
  });

  test('repeats a frame at the cut: its picture is a repeat, and no period lacks one', () => {
    const last = { sourceId: camera, frameNumber: 139 };
    const { numbers, cuts } = new Output().run(camera, 100, 40).show(last).run(titles, 7001, 40).counted();
    expect(cuts).toEqual([expect.objectContaining({ missing: 0, repeated: 1 })]);
    expect([absent(numbers), repeated(numbers)]).toEqual([0, 1]);
  });

  test('does both: each is counted', () => {
    const last = { sourceId: camera, frameNumber: 139 };
    const { numbers, cuts } = new Output()
      .run(camera, 100, 40)
      .show(last, last, null)
      .run(titles, 7001, 40)
      .counted();
    expect(cuts).toEqual([expect.objectContaining({ missing: 1, repeated: 2 })]);
    expect([absent(numbers), repeated(numbers)]).toEqual([1, 2]);
  });

  test('cuts late: the cut is when it was made', () => {
    const { cuts } = new Output().run(camera, 100, 49).run(titles, 7009, 40).counted();
    expect(cuts).toEqual([expect.objectContaining({ atNs: 1e9 + 49 * periodNs, missing: 0, repeated: 0 })]);
  });

  test('does not cut: no cut, and nothing is lost', () => {
    const { numbers, cuts } = new Output().run(camera, 100, 90).counted();
    expect(cuts).toEqual([]);
    expect(numbers).toEqual(Array.from({ length: 90 }, (_, index) => 100 + index));
  });

  test('cuts every few frames: each is a cut', () => {
    const output = new Output().run(camera, 100, 30);
    for (let cut = 0; cut < 10; cut++) output.run(cut % 2 ? camera : titles, 500 + 10 * cut, 3);
    const { numbers, cuts } = output.counted();
    expect(cuts).toHaveLength(10);
    expect(cuts.every(({ missing, repeated: again }) => missing === 0 && again === 0)).toBe(true);
    expect([absent(numbers), repeated(numbers), numbers.length]).toEqual([0, 0, 60]);
  });
});

test('a new source with every picture is a cut with every picture, and loses nothing', () => {
  const output = new Output();
  for (let picture = 0; picture < 300; picture++)
    output.show({ sourceId: 1 + picture, frameNumber: (picture * 7919) % 2 ** 20 });
  const { numbers, cuts } = output.counted();
  expect([cuts.length, absent(numbers), repeated(numbers)]).toEqual([299, 0, 0]);
});

test('what is no picture of ours at the beginning is none of the programme', () => {
  const noCode = { frameNumber: 0, status: Undecodable };
  const { numbers, cuts } = new Output().show(noCode, noCode).run(camera, 100, 40).counted();
  expect([numbers.slice(0, 3), cuts]).toEqual([[null, null, 100], []]);
});

describe('pictures of two sources', () => {
  const noCode = { frameNumber: 0, status: Undecodable };

  test('of a dissolve are mixed, and nothing is lost', () => {
    const { numbers, cuts, records } = new Output()
      .run(camera, 100, 40)
      .show({ sourceId: camera, frameNumber: 140, status: Damaged })
      .show(noCode, noCode, noCode, noCode)
      .show({ sourceId: titles, frameNumber: 7005, status: Dimmed })
      .run(titles, 7006, 40)
      .counted();
    expect(cuts).toEqual([expect.objectContaining({ mixed: 6, torn: 0, missing: 0, programmeFrame: 146 })]);
    expect([absent(numbers), repeated(numbers), numbers.length]).toEqual([0, 0, 86]);
    expect(
      records.flatMap(({ status }) => [...status]).every((status) => status === PictureStatus.Good),
    ).toBe(true);
  });

  test('of a dissolve in which two periods have none: these are missing', () => {
    const { numbers, cuts } = new Output()
      .run(camera, 100, 40)
      .show(noCode, null, noCode, null, noCode)
      .run(titles, 7006, 40)
      .counted();
    expect(cuts).toEqual([expect.objectContaining({ mixed: 3, missing: 2 })]);
    expect(absent(numbers)).toBe(2);
  });

  test('cut within the picture is torn', () => {
    const { cuts, records } = new Output()
      .run(camera, 100, 40)
      .show({ sourceId: titles, frameNumber: 7000, status: Torn })
      .run(titles, 7001, 40)
      .counted();
    expect(cuts).toEqual([expect.objectContaining({ mixed: 0, torn: 1, missing: 0 })]);
    expect(records.flatMap(({ status }) => [...status]).filter((status) => status === Torn)).toHaveLength(1);
  });

  test('without a cut are spoilt, as of any sender', () => {
    const { numbers, cuts } = new Output()
      .run(camera, 100, 40)
      .show(noCode, { sourceId: titles, frameNumber: 7000, status: Torn })
      .run(camera, 142, 40)
      .counted();
    expect(cuts).toEqual([]);
    expect(numbers.slice(39, 43)).toEqual([139, null, 140, 142]);
  });
});

describe('a single spoilt picture that names another source', () => {
  const misread = { sourceId: replay, frameNumber: 7, status: Damaged };

  test.each([0, 3e9])('is no cut, whenever its message is read (%d ns later)', (heldUpNs) => {
    const { numbers, cuts } = new Output()
      .run(camera, 100, 40)
      .show(misread)
      .run(camera, 141, 40)
      .show({ ...misread, status: Torn })
      .run(titles, 7000, 40)
      .counted(heldUpNs);
    expect(cuts).toEqual([
      expect.objectContaining({ to: { sourceId: titles, firstFrame: 7000 }, missing: 0 }),
    ]);
    expect([absent(numbers), numbers.length]).toEqual([0, 122]);
  });

  test('is none on an output whose pictures are all spoilt, whose cuts are found all the same', () => {
    const dimmed = (sourceId: number, from: number) =>
      Array.from({ length: 60 }, (_, index) => ({ sourceId, frameNumber: from + index, status: Dimmed }));
    const { cuts } = new Output()
      .show(...dimmed(camera, 100), misread, ...dimmed(camera, 161), null, ...dimmed(titles, 7000))
      .counted();
    expect(cuts.map(({ to, missing, isEstimate }) => [to.sourceId, missing, isEstimate])).toEqual([
      [titles, 1, false],
    ]);
  });
});

test('what a source loses while it is shown is told by its own numbers, and is no loss at the cut', () => {
  const output = new Output().run(camera, 100, 20).show(null, null).run(camera, 122, 18);
  // Of a queue that was emptied, numbers are lost and no time.
  output.run(camera, 145, 10).run(titles, 7000, 40);
  const { numbers, cuts } = output.counted();
  expect(cuts).toEqual([
    expect.objectContaining({ missing: 0, from: expect.objectContaining({ frames: 48, lost: 7 }) }),
  ]);
  expect(absent(numbers)).toBe(7);
});

test('a repeat in the middle of a stretch moves its later pictures, and no period before the cut', () => {
  const again = { sourceId: camera, frameNumber: 135 };
  const { cuts } = new Output()
    .run(camera, 100, 36)
    .show(again, again)
    .run(camera, 136, 4)
    .run(titles, 7000, 40)
    .counted();
  expect(cuts).toEqual([
    expect.objectContaining({ missing: 0, repeated: 0, from: expect.objectContaining({ repeated: 2 }) }),
  ]);
});

test('late pictures around a cut change no count', () => {
  const random = new Random(seeds[0]);
  for (let round = 0; round < 50; round++) {
    const dropped = random.whole(0, 4);
    const output = new Output(() =>
      random.chance(0.3) ? random.whole(0, 60) * 1e6 : random.whole(0, 2) * 1e6,
    );
    output
      .run(camera, 100, 40)
      .show(...Array.from({ length: dropped }, () => null))
      .run(titles, 9000, 40);
    expect(
      output.counted().cuts.map(({ missing }) => missing),
      `round ${round}`,
    ).toEqual([dropped]);
  }
});

test('what the next source loses or repeats just behind a cut changes no period before it', () => {
  const { numbers, cuts } = new Output()
    .run(camera, 100, 40)
    .show(null, null)
    .run(titles, 7000, 2)
    // A queue was emptied.
    .run(titles, 7005, 3)
    .show(null, null, null, { sourceId: titles, frameNumber: 7007 })
    .run(titles, 7011, 30)
    .counted();
  expect(cuts).toEqual([expect.objectContaining({ missing: 2, repeated: 0 })]);
  // Two of the three that the queue lost had no other period than the two that are missing at the cut.
  expect([absent(numbers), repeated(numbers)]).toEqual([2 + 1 + 3, 1]);
});

describe('a source with half as many frames a second as the output', () => {
  const halved = (sourceId: number, from: number, periods: number): Shown[] =>
    Array.from({ length: periods }, (_, period) => ({ sourceId, frameNumber: from + (period >> 1) }));

  test('repeats each, which is none at a cut, and what is missing there is exact', () => {
    const random = new Random(seeds[0]);
    for (let round = 0; round < 50; round++) {
      const dropped = random.whole(0, 4);
      const nothing = Array.from({ length: dropped }, () => null);
      const { numbers, cuts } = new Output(() => random.whole(0, 4) * 1e6)
        .show(...halved(camera, 100, 60 + (round % 2)), ...nothing, ...halved(titles, 7000, 61))
        .run(replay, 50, 40)
        .counted();
      const at = { repeated: 0, isEstimate: false };
      expect(cuts, `round ${round}`).toEqual([
        expect.objectContaining({ ...at, missing: dropped, from: expect.objectContaining({ repeated: 30 }) }),
        expect.objectContaining({ ...at, missing: 0 }),
      ]);
      expect([absent(numbers), repeated(numbers)]).toEqual([dropped, 60]);
    }
  });

  test('that shows one more often at the cut repeats that', () => {
    const last = { sourceId: camera, frameNumber: 129 };
    const { cuts } = new Output()
      .show(...halved(camera, 100, 60), last, last, ...halved(titles, 7000, 60))
      .counted();
    expect(cuts).toEqual([expect.objectContaining({ repeated: 2, missing: 0, isEstimate: false })]);
  });
});

test('of a source that is shown for a picture or two, what is missing around it is an estimate', () => {
  const { cuts } = new Output().run(camera, 100, 40).run(titles, 7000, 2).run(camera, 142, 40).counted();
  expect(cuts.map(({ missing, isEstimate }) => [missing, isEstimate])).toEqual([
    [0, true],
    [0, true],
  ]);
});

test('pictures that were held up for long and come at once came in periods of their own', () => {
  const frozen = new Output((period) => (period >= 41 && period < 53 ? (53 - period) * periodNs : 0));
  const { cuts } = frozen.run(camera, 100, 40).show(null, null, null).run(titles, 7000, 40).counted();
  expect(cuts).toEqual([expect.objectContaining({ missing: 3 })]);
});

test('numbers of a source wrap', () => {
  const { numbers, cuts } = new Output()
    .run(camera, 100, 40)
    .show(
      ...Array.from({ length: 40 }, (_, index) => ({
        sourceId: titles,
        frameNumber: (2 ** 32 - 20 + index) % 2 ** 32,
      })),
    )
    .run(replay, 5, 20)
    .counted();
  expect([absent(numbers), numbers.length]).toEqual([0, 100]);
  expect(cuts[1]).toMatchObject({ from: { firstFrame: 2 ** 32 - 20, lastFrame: 19, frames: 40, lost: 0 } });
});

test('a programme that stands still for long before a cut lacks what was due', () => {
  const { cuts } = new Output()
    .run(camera, 100, 40)
    .show(...Array.from({ length: 75 }, () => null))
    .run(titles, 7000, 40)
    .counted();
  expect(cuts).toEqual([expect.objectContaining({ missing: 75 })]);
});

test('cuts are found again by their time', () => {
  const { programme } = new Output().run(camera, 1, 40).run(titles, 1, 40).run(camera, 81, 40).counted();
  expect(programme.cutsWithin(1e9, 1e9 + 60 * periodNs)).toHaveLength(1);
  expect(programme.cutsWithin(1e9 + 60 * periodNs, 1e9 + 200 * periodNs)).toHaveLength(1);
});
