import { expect, test } from 'vitest';
import { withFigures } from '../../engine/experiment/row-values';
import { figuresWithReasons } from '../../facts/reasoned';
import type { ComparedPicture } from '../../protocol/records';
import { exampleRow } from '../../testing/example-run';
import { codecQualityDeclaration } from './declaration';
import { bitsPerPixel, deliveredFigures, frameTable, hapFigures, psnrDb, worstOf } from './figures';
import { codecQualityMetrics } from './metrics';

function compared(frame: number, error: number, similarity: number): ComparedPicture {
  return { frame, meanSquaredErrors: [error, 0, 1], structuralSimilarities: [similarity, 1, 0.5] };
}

const two = [compared(10, 1, 0.9), compared(40, 3, 0.7)];

test('a ratio of nothing is reported in a word, never as 0', () => {
  expect(psnrDb(0)).toBe('exact');
  expect(psnrDb(65025)).toBe(0);
  expect(psnrDb(1)).toBeCloseTo(48.13, 2);
});

test('the mean is of the squared errors, the worst of the frame that lost most', () => {
  const { figures: values, notMeasured } = figuresWithReasons(deliveredFigures(two, 5, 'lost'));
  expect(values['quality.psnrYDb']).toBeCloseTo(10 * Math.log10(65025 / 2), 10);
  expect(values['quality.worstPsnrYDb']).toBeCloseTo(10 * Math.log10(65025 / 3), 10);
  expect(values).toMatchObject({
    'quality.ssimY': 0.8,
    'quality.worstSsimY': 0.7,
    'quality.psnrCbDb': 'exact',
    'quality.worstPsnrCbDb': 'exact',
    'quality.ssimCr': 0.5,
    'quality.pairs': 2,
    'quality.pairsLeftOut': 3,
    'quality.worstFrame': 40,
  });
  expect(notMeasured).toEqual({});
});

test('what was not compared is not measured, with the reason', () => {
  const { figures: values, notMeasured } = figuresWithReasons(
    deliveredFigures([], 5, 'the disk did not keep up'),
  );
  expect(values).toMatchObject({
    'quality.psnrYDb': null,
    'quality.worstFrame': null,
    'quality.pairsLeftOut': 5,
  });
  expect(notMeasured['quality.psnrYDb']).toBe('the disk did not keep up');
  expect(notMeasured['quality.worstFrame']).toBe('the disk did not keep up');
});

test('a plane that is all masked has no figure either', () => {
  const masked: ComparedPicture = {
    ...{ frame: 1, meanSquaredErrors: [4, null, null], structuralSimilarities: [null, null, null] },
  };
  const { figures: values, notMeasured } = figuresWithReasons(deliveredFigures([masked], 1, 'lost'));
  expect(values['quality.psnrCbDb']).toBeNull();
  expect(values['quality.psnrYDb']).toBeCloseTo(42.11, 2);
  expect(notMeasured['quality.psnrCbDb']).toMatch(/leave nothing of the picture/);
  expect(notMeasured['quality.ssimY']).toMatch(/leave nothing of the picture/);
});

test('Hap’s own loss has figures of its own', () => {
  expect(figuresWithReasons(hapFigures(two, 46.2, '')).figures).toMatchObject({
    'quality.hapSsimY': 0.8,
    'quality.hapBitrateMbps': 46.2,
  });
  const none = figuresWithReasons(hapFigures([], null, 'only clips'));
  expect(none.figures['quality.hapBitrateMbps']).toBeNull();
  expect(none.notMeasured['quality.hapPsnrYDb']).toBe('only clips');
});

test('bits per pixel come from bitrate and format, and from nothing else', () => {
  const format = { width: 1000, height: 500, framesPerSecond: 20 };
  expect(figuresWithReasons(bitsPerPixel(20, format, '')).figures).toEqual({ 'quality.bitsPerPixel': 2 });
  expect(figuresWithReasons(bitsPerPixel(null, format, 'no baseline'))).toEqual({
    figures: { 'quality.bitsPerPixel': null },
    notMeasured: { 'quality.bitsPerPixel': 'no baseline' },
  });
});

test('every figure of the experiment is registered', () => {
  const figures = {
    ...deliveredFigures(two, 2, ''),
    ...hapFigures(two, 1, ''),
    ...bitsPerPixel(1, { width: 1, height: 1, framesPerSecond: 1 }, ''),
  };
  const row = exampleRow(1);
  const own = Object.keys(withFigures(row, codecQualityDeclaration, figures).figures).filter(
    (id) => !(id in row.figures),
  );
  const known = codecQualityMetrics.map(({ id }) => id);
  expect(own.sort()).toEqual([...known].sort());
});

test('the worst frame is the first of the worst', () => {
  expect(worstOf([compared(1, 2, 1), compared(2, 5, 1), compared(3, 5, 1)])?.frame).toBe(2);
  expect(worstOf([])).toBeUndefined();
});

test('each frame has a line of its own', () => {
  const lines = frameTable(two).trim().split('\n');
  expect(lines[0]).toBe('frame,psnrYDb,psnrCbDb,psnrCrDb,ssimY,ssimCb,ssimCr');
  expect(lines[2]).toMatch(/^40,43\.35\d+,exact,48\.13\d+,0\.7,1,0\.5$/);
  expect(lines).toHaveLength(3);
});
