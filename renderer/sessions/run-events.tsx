import { useState } from 'react';
import { Notes } from '../report/notes';
import { texts } from '../texts';
import { useReading, useRecording } from './archive';
import { LoadingNotice, ProblemNotice } from './notice';
import { Pager } from './pager';
import styles from './run-events.module.css';

const { sessions } = texts;
/** More are not quickly looked through. */
const pageSize = 500;

/** All that happened in a run, page by page: one with many losses has many events. */
export function RunEvents({ folder }: { folder: string }) {
  const [offset, setOffset] = useState(0);
  const recording = useRecording();
  const { result, problem, retry } = useReading(
    { name: 'listEvents', run: folder, offset, limit: pageSize },
    recording,
  );
  if (problem) return <ProblemNotice title={sessions.problemTitleEvents} problem={problem} onRetry={retry} />;
  if (!result) return <LoadingNotice text={sessions.loadingEvents} />;
  return (
    <div className={styles.events} data-testid="events">
      <Pager
        {...{ offset, pageSize, total: result.total }}
        before={sessions.earlier}
        after={sessions.later}
        onTurn={setOffset}
      />
      <Notes notes={result.events} />
    </div>
  );
}
