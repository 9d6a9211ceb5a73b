import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SourceRemarks } from './source-remarks';

test('what is particular about how a source is played is one sentence; of one that is played as it is there is none', () => {
  const remarks = ['turned 90° clockwise', 'pixels are not square: shown at 1.78:1'];
  expect(renderToStaticMarkup(<SourceRemarks remarks={remarks} />)).toContain(
    '>Played: turned 90° clockwise; pixels are not square: shown at 1.78:1<',
  );
  expect(renderToStaticMarkup(<SourceRemarks remarks={[]} />)).toBe('');
});
