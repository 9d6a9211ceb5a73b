import { type ReactNode, useState } from 'react';
import { isOfStreams } from '../../app/facts/row-figures';
import type { OpenedRun } from '../../app/protocol/archive';
import { stepTitle } from '../charts/step-series';
import {
  ChartSections,
  ConditionSections,
  measuredRowsOf,
  Results,
  type RowsPage,
  StreamSections,
  SubjectSection,
} from '../report/sections';
import { Choice } from '../shell/choice';
import { Dialog } from '../shell/dialog';
import { RowDetail } from '../table/row-detail';
import { texts } from '../texts';
import { useReading, useRecording } from './archive';
import { LoadingNotice, ProblemNotice } from './notice';
import { Pager } from './pager';
import { RunHead } from './run-head';
import { RunNotes } from './run-notes';
import { BackButton, Room, View } from './view';

const { sessions } = texts;
type Part = keyof typeof sessions.parts;

/** One recorded run: its verdict and sentence, and below one part of it at a time. */
export function RunView({ folder }: { folder: string }) {
  const { result, problem, retry } = useReading({ name: 'openRun', run: folder }, useRecording());
  // Deleted in another window: what was read of it is no run any more.
  if (result && problem?.code !== 'NOT_FOUND') return <Opened opened={result} />;
  return (
    <View title={sessions.loadingRun} bar={<BackButton />}>
      {problem ? (
        <ProblemNotice title={sessions.problemTitleRun} problem={problem} onRetry={retry} />
      ) : (
        <LoadingNotice text={sessions.loadingRun} />
      )}
    </View>
  );
}

function Opened({ opened }: { opened: OpenedRun }) {
  const { run, summary } = opened;
  const [chosen, setPart] = useState<Part>('results');
  const hasStreams = measuredRowsOf(run.rows).length > 0;
  const parts: Part[] = ['results', ...(hasStreams ? (['streams'] as const) : []), 'notes', 'conditions'];
  return (
    <View title={summary.title} bar={<RunHead opened={opened} />}>
      <Choice
        label={summary.title}
        options={parts.map((part) => [part, sessions.parts[part]] as const)}
        value={chosen}
        columns={parts.length}
        onChange={setPart}
      />
      <Room key={chosen} title={sessions.parts[chosen]}>
        {chosen === 'results' && <RunResults opened={opened} />}
        {chosen === 'streams' && (
          <InPages rows={run.rows.length} pageSize={rowsWithDistributions}>
            {(page) => <StreamSections data={opened} page={page} />}
          </InPages>
        )}
        {chosen === 'notes' && <RunNotes opened={opened} />}
        {chosen === 'conditions' && <ConditionSections run={run} />}
      </Room>
    </View>
  );
}

/** So many rows are laid out and scrolled without waiting; distributions draw hundreds of bars for each. */
const rowsOfTable = 200;
const rowsWithDistributions = 50;

interface PagesProps {
  rows: number;
  pageSize: number;
  children: (page: RowsPage) => ReactNode;
}

/** Rows of a long run, page by page. */
function InPages({ rows, pageSize, children }: PagesProps) {
  const [offset, setOffset] = useState(0);
  return (
    <>
      <Pager
        {...{ offset, pageSize, total: rows }}
        before={sessions.earlier}
        after={sessions.later}
        onTurn={setOffset}
      />
      {children({ offset, pageSize })}
    </>
  );
}

/** The table and the charts; the details of a row open as a sheet. */
function RunResults({ opened }: { opened: OpenedRun }) {
  const { run } = opened;
  const [chosenRow, setChosenRow] = useState<number | null>(null);
  const openRow = run.rows.filter(isOfStreams).find(({ index }) => index === chosenRow);
  return (
    <>
      {run.rows.length === 0 ? (
        <p>{sessions.noRows}</p>
      ) : (
        <InPages rows={run.rows.length} pageSize={rowsOfTable}>
          {(page) => <Results run={run} onOpen={setChosenRow} page={page} />}
        </InPages>
      )}
      <SubjectSection rows={run.rows} />
      <ChartSections data={opened} />
      {openRow && (
        <Dialog title={stepTitle(openRow)} isWide onClose={() => setChosenRow(null)}>
          <RowDetail row={openRow} />
        </Dialog>
      )}
    </>
  );
}
