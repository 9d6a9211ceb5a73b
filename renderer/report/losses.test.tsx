import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lossCauseText } from '../../app/facts/loss-words';
import type { Row } from '../../app/facts/row';
import { hostsWith } from '../../app/facts/row-figures';
import { countTables, timeTables } from '../table/columns';
import { RowDetail } from '../table/row-detail';
import { StreamTable } from '../table/stream-table';
import { StudyTable } from '../table/study-table';
import { TimesTable } from '../table/times-table';
import { rowOf } from '../testing/fixtures';
import { foreignRows, lossRows, rowsOfOldVersion } from '../testing/trouble';
import { Gaps, Losses } from './losses';

/** Text of the cells, tags and tooltips left out. */
function textOf(markup: string): string {
  return markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

test('each loss stands there with its cause, and rows without one are named', () => {
  const text = textOf(renderToStaticMarkup(<Losses rows={lossRows} />));
  const losses = lossRows.flatMap((row) => row.subjects.flatMap((stream) => stream.losses ?? []));
  expect(losses.length).toBe(8);
  for (const loss of losses) expect(text).toContain(lossCauseText(loss));
  expect(text.match(/on 3 streams at once/g)?.length).toBe(3);
  expect(text.match(/on this one alone/g)?.length).toBe(3);
  expect(text).toContain('No frame lost in row 1.');
});

test('losses that no row has are in the list, and one sentence says how many they are', () => {
  const [loss] = lossRows.flatMap((row) => row.subjects.flatMap((stream) => stream.losses ?? []));
  if (!loss) throw new Error('The fixture has no loss');
  const times = { from: loss.startedAt, to: loss.endedAt };
  const lost = { ...times, stream: 'Cam', streamId: '1', frames: loss.frames, losses: [loss], outages: [] };
  const text = textOf(renderToStaticMarkup(<Losses rows={lossRows} between={[lost]} />));
  expect(text).toMatch(/ between rows [\d:.]+ Cam /);
  expect(text).toContain('Between rows 1 frame was lost. No row counts that.');
  const more = textOf(renderToStaticMarkup(<Losses rows={[]} between={[{ ...lost, frames: 900 }]} />));
  expect(more).toContain('The list explains 1 of 900 lost frames');
});

test('where a row has one stream, nothing is said of others', () => {
  const rows = foreignRows;
  const text = textOf(renderToStaticMarkup(<Losses rows={rows} />));
  expect(text).toContain('is missing between two timestamps');
  expect(text).not.toMatch(/alone|at once/);
});

test('a list of losses that does not explain all says how many frames it leaves out', () => {
  const row = rowOf(1);
  for (const { figures } of row.subjects) figures.framesDropped = 1432;
  expect(textOf(renderToStaticMarkup(<Losses rows={[row]} />))).toMatch(/Row 1: .*\b0 of 1,432 lost frames/);
});

test('gaps are shown where there are any', () => {
  const text = textOf(renderToStaticMarkup(<Gaps rows={lossRows} />));
  expect(text).toContain('Row 2, 2 streams');
  expect(text).toContain('Row 3, 3 streams');
  // The list of losses says that no frame of row 1 was lost.
  expect(text).not.toContain('row 1');
});

test('where frames came in the middle of a loss, the gaps say why there are more of them', () => {
  const parted = lossRows.map((row) => ({
    ...row,
    subjects: row.subjects.map((stream) => ({
      ...stream,
      losses: stream.losses?.map((loss) => ({ ...loss, lastFrame: loss.firstFrame + loss.frames + 1 })),
    })),
  }));
  const notes = [lossRows, parted].map((rows) => textOf(renderToStaticMarkup(<Gaps rows={rows} />)));
  expect(notes.map((text) => text.includes('so there are more gaps than losses'))).toEqual([false, true]);
});

test('an outage stands where losses do, once, and no row with one is called flawless', () => {
  const row = rowOf(1);
  const [stream] = row.subjects;
  const text = 'no new picture for 9.1 s: about 545 frames at 60 fps (an estimate)';
  const times = { startedAt: row.from, endedAt: row.to };
  if (stream) stream.outages = [{ ...times, seconds: 9.1, framesEstimated: 545, text }];
  const rows = [row];
  for (const show of [() => <Losses rows={rows} />, () => <RowDetail row={row} />]) {
    const found = textOf(renderToStaticMarkup(show()));
    expect(found).toContain(`${stream?.name}: ${text}`);
    expect(found).not.toMatch(/No frame lost|No gap in/);
  }
  expect(textOf(renderToStaticMarkup(<Gaps rows={rows} />))).not.toMatch(/No gap in|no new picture/);
});

test('what a display window showed is reported where one showed a stream, and only there', () => {
  const row = rowOf(1);
  const shownOf = (shown: Row) => renderToStaticMarkup(<RowDetail row={shown} />);
  expect(shownOf(row)).not.toContain('data-metric="framesDisplayShown"');
  for (const { figures } of row.subjects) figures.framesDisplayShown = 3587;
  expect(textOf(shownOf(row))).toMatch(/Shown by the display window.*3,587/);
});

test('a run of an older version is shown, with its absent figures as not measured', () => {
  const rows: Row[] = rowsOfOldVersion;
  expect(textOf(renderToStaticMarkup(<Losses rows={rows} />))).toMatch(
    /Row 1: Not measured: the version that recorded the run/,
  );
  expect(textOf(renderToStaticMarkup(<Gaps rows={rows} />))).toMatch(/Row 1.*Not measured/);
  const markup = renderToStaticMarkup(
    <>
      <StudyTable rows={rows} provisional={null} />
      <TimesTable rows={rows} showsRow />
      {[...countTables, ...timeTables].map((columns) => (
        <StreamTable key={columns[0]?.id} rows={rows} columns={columns} showsRow />
      ))}
      {rows.map((row) => (
        <RowDetail key={row.index} row={row} />
      ))}
    </>,
  );
  expect(markup).toContain('data-metric="submitIntervalMs.p99"');
  expect(textOf(markup)).not.toMatch(/undefined|NaN/);
});

test('a stream’s table says on which machine each was received, where that is not the one that counts', () => {
  const on = (receiver: string) => ({
    ...rowOf(1),
    subjects: rowOf(1).subjects.map((subject) => ({ ...subject, hosts: { receiver } })),
  });
  const tableOf = (rows: readonly Row[]) =>
    renderToStaticMarkup(<StreamTable rows={rows} columns={[]} showsRow />);
  expect(textOf(tableOf([on('display-1'), on('display-2')]))).toMatch(/Received on.*display-1.*display-2/);
  expect(textOf(tableOf([on('display-1')]))).toMatch(/Received on.*display-1/);
  const [[ours] = ['']] = hostsWith(rowOf(1), 'instrument');
  expect(tableOf([on(ours)])).not.toContain('Received on');
});
