import { describe, expect, test } from 'vitest';
import { cutsTo, hasCuts } from './cut-rules';
import { measurement, withNothing } from './measurement.fixture';
import { isWhole, neverStalls, repeatsNoFrames } from './rules';
import type { Cut } from './types';

const cut = (name: string, second = 1): Cut => ({
  ...{
    at: `2026-01-01T00:00:0${second}.000Z`,
    programmeFrame: 9,
    isEstimate: false,
    missing: 0,
    repeated: 0,
    mixed: 0,
    torn: 0,
  },
  from: {
    ...{ sourceId: 7, name: null, firstFrame: 0, lastFrame: 8, seconds: 1, frames: 9 },
    ...{ lost: 0, repeated: 0, reordered: 0, spoilt: 0 },
  },
  to: { sourceId: 8, name: `VM (${name})`, firstFrame: 100 },
});

describe('a programme', () => {
  test('of which no picture came since the mark is not measured, whatever is asked of it', () => {
    for (const figures of [{ picturesCaptured: 0 }, { picturesCaptured: null }]) {
      const dead = withNothing(figures);
      for (const rule of [
        isWhole(),
        neverStalls(),
        repeatsNoFrames(),
        hasCuts(0, []),
        hasCuts(1, []),
        cutsTo('A', 1, []),
      ])
        expect(rule(dead)).toEqual({
          outcome: 'not-measured',
          text: 'A (x) was not measured: no picture that can be counted came since the mark',
        });
    }
  });

  test('that has no frame code has cuts that nobody can see', () => {
    const foreign = measurement([{}], { method: 'timestamps' });
    for (const rule of [hasCuts(0, null), hasCuts(0, []), cutsTo('A', 1, null)])
      expect(rule(foreign)).toMatchObject({
        outcome: 'not-measured',
        text: expect.stringContaining('the source has no frame code'),
      });
  });

  test('whose cut came before the mark says so', () => {
    const late = measurement([{}], { cutBefore: cut('A') });
    const says = ': its last cut, to VM (A) at 2026-01-01T00:00:01.000Z, came before the mark';
    expect(cutsTo('A', 1, [])(late)).toMatchObject({
      outcome: 'broken',
      text: `A (x) did not cut within 1 s${says}`,
    });
    expect(hasCuts(1, [])(late)).toMatchObject({ outcome: 'broken', text: `A (x) had 0 cuts${says}` });
    expect(hasCuts(0, [cut('B')])(late).text).not.toContain('before the mark');
  });

  test('cut where its newest cut is to the source', () => {
    const measured = measurement([{}]);
    const outcome = (...names: string[]) =>
      cutsTo(
        'A',
        1,
        names.map((name) => cut(name)),
      )(measured).outcome;
    expect([outcome(), outcome('A'), outcome('B', 'A'), outcome('A', 'B')]).toEqual([
      ...['broken', 'holds', 'holds', 'broken'],
    ]);
  });

  test('that is silent at the end, or was gone, has not cut by what nobody saw; what was seen holds', () => {
    const [startedAt, endedAt] = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:10.000Z'];
    const outage = { startedAt, endedAt, seconds: 9, framesEstimated: 270, text: '' };
    for (const [silent, says] of [
      [
        measurement([{}], { standstill: 'Standing still' }),
        /at the end no picture that can be counted came \(Standing still\), and/,
      ],
      [
        measurement([{}], { outages: [outage] }),
        /no picture from 00:00:01.000 to .* UTC: about 270 frames \(an estimate\), and whether it cut then was not seen$/,
      ],
    ] as const) {
      for (const rule of [
        hasCuts(1, [cut('A')]),
        hasCuts(2, [cut('A')]),
        cutsTo('B', 1, [cut('A')]),
        cutsTo('A', 1, []),
      ])
        expect(rule(silent)).toMatchObject({ outcome: 'not-measured', text: expect.stringMatching(says) });
      expect(cutsTo('A', 1, [cut('A')])(silent).outcome).toBe('holds');
      expect(cutsTo('A', 1, [], 1.5)(silent).outcome).toBe('broken');
      expect(hasCuts(1, [cut('A'), cut('B')])(silent).outcome).toBe('broken');
    }
  });

  test('none of whose sources is known has neither cut to one nor not', () => {
    for (const cuts of [[], [{ ...cut('A'), to: { sourceId: 7, name: null, firstFrame: 0 } }]])
      expect(cutsTo('Camera 2', 1, cuts, null, false)(measurement([{}]))).toEqual({
        outcome: 'not-measured',
        text: 'A (x) was not measured: Camera 2 is no source that this test sent or watches: name it in the option sources of watch',
      });
  });

  test('that cuts too late says how late', () => {
    expect(cutsTo('A', 1, [], 1.52)(measurement([{}]))).toEqual({
      outcome: 'broken',
      text: 'A (x) did not cut to A within 1 s: it came after 1.5 s',
      expected: 'expected A',
      expectedNot: 'expected no cut to A',
    });
  });
});
