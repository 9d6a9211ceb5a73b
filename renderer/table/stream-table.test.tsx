import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { StreamsRow } from '../../app/facts/stream-row';
import { exampleRow } from '../../app/testing/example-run';
import { receivedOn } from '../../app/testing/several-receivers';
import { texts } from '../texts';
import { machinesOf } from './machines';
import { StreamTable } from './stream-table';
import { StudyTable } from './study-table';

const load = () => ({ cpuMaxPercent: 10 });
const console = 'control';

/** Counted by a console, and received on these machines in turn. */
function rowOn(sender: string, ...receivers: string[]): StreamsRow {
  const row = { ...(exampleRow() as StreamsRow), load: {} };
  const received = receivedOn(row, Object.fromEntries(receivers.map((name) => [name, load])));
  const subjects = received.subjects.map((one) => ({ ...one, hosts: { ...one.hosts, sender } }));
  const ours = { ...received.load[console], instrument: load() };
  return { ...received, subjects, load: { ...received.load, [console]: ours } };
}

function headings(row: StreamsRow): string {
  return renderToStaticMarkup(<StreamTable rows={[row]} columns={[]} />);
}

test('a stream whose ends are both here names no machine', () => {
  const row = rowOn(console, console);
  expect(machinesOf([row], 'sender')).toEqual([]);
  expect(headings(row)).not.toContain(texts.times.sentFrom);
  expect(renderToStaticMarkup(<StudyTable rows={[row]} provisional={null} />)).not.toContain(
    'group-machines',
  );
});

test('an end on another machine is named at each stream, and above the columns of its load', () => {
  const row = rowOn('render-1', console);
  expect(headings(row)).toContain('title="render-1"');
  expect(headings(row)).not.toContain(texts.times.receivedOn);
  const table = renderToStaticMarkup(<StudyTable rows={[row]} provisional={null} />);
  expect(table.match(/data-testid="group-machines">([^<]*)</g)).toEqual([
    'data-testid="group-machines">render-1<',
  ]);
});

test('several that receive are all named, the console’s own among them', () => {
  const rows = [rowOn(console, 'display-1'), rowOn(console, console)];
  expect(machinesOf(rows, 'receiver')).toEqual(['display-1', console]);
  expect(machinesOf(rows, 'sender')).toEqual([]);
});
