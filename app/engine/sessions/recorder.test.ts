import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atMost } from '../../facts/contradiction';
import { exampleRow } from '../../testing/example-run';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readEvents } from './read-run';

const root = temporaryFolder();

test('figures of a row that contradict each other are an event with both', async () => {
  const path = join(root, 'run');
  const { recorder } = recorderIn(path);
  const reason = atMost('line rate', [71_428.6, 'Mb/s received'], [1000, 'Mb/s line rate']);
  recorder.row({ ...exampleRow(0), index: 3, label: 'TCP', verdict: 'INVALID', reason });
  recorder.row(exampleRow(4));
  void recorder.end('finished', 'INVALID', '');
  const events = readEvents(path).filter(({ kind }) => kind === 'contradiction');
  expect(events).toMatchObject([
    {
      text: 'TCP: the figures contradict each other (line rate): 71428.6 Mb/s received, 1000 Mb/s line rate',
      details: { row: 3, what: 'line rate', one: '71428.6 Mb/s received', other: '1000 Mb/s line rate' },
    },
  ]);
});
