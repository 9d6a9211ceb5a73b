import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Subject } from '../../app/facts/row';
import { madeUpRow } from '../../app/testing/made-up-rows';
import { rowOf } from '../testing/fixtures';
import { SubjectTables } from './subject-table';

function subject(kind: string, id: string, more: Partial<Subject>): Subject {
  return { kind, id, name: `${kind} ${id}`, hosts: {}, figures: {}, notMeasured: {}, ...more };
}

test('each kind of subject has a table of its figures; streams have their own', () => {
  const row = madeUpRow(0, {
    figures: {},
    subjects: [
      subject('disk', '1', { figures: { 'storage.bestMBps': 151.25 } }),
      subject('link', '1', {
        figures: { 'link.throughputMbps': 940.5, 'latencyMs.histogram': { firstBin: 0, counts: [1] } },
      }),
      subject('link', '2', {
        ...{ figures: { 'link.throughputMbps': null }, verdict: 'FAIL' },
        notMeasured: { 'link.throughputMbps': 'its cable is pulled' },
      }),
    ],
  });
  const markup = renderToStaticMarkup(<SubjectTables rows={[row, rowOf(1)]} />);
  const [, disks = '', links = '', ...others] = markup.split('<table');
  expect(others).toEqual([]);
  expect(disks).toMatch(/Disk<\/th>.*Best \(MB\/s\)<\/th><\/tr>.*disk 1.*151\.25/s);
  expect(links).toMatch(/Link<\/th>.*Throughput \(Mb\/s\)<\/th><th scope="col">Verdict/s);
  expect(links).toMatch(/link 1.*940\.5.*link 2.*its cable is pulled.*FAIL/s);
  expect(links).not.toMatch(/Latency|Best|disk/);
});
