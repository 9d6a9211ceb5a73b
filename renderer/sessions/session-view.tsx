import type { OpenedSession } from '../../app/protocol/archive';
import { dateTime } from '../format';
import { Button } from '../shell/button';
import { ScrollRoom } from '../shell/scroll-room';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { useReading, useRecording } from './archive';
import { CompareBar } from './compare-bar';
import { HistoryTable } from './history-table';
import history from './history-view.module.css';
import { LoadingNotice, ProblemNotice } from './notice';
import styles from './run-head.module.css';
import { lastedText } from './run-texts';
import { useScreenKeys } from './screen-keys';
import { openSessionReport } from './session-actions';
import { openSheet } from './sessions-store';
import { BackButton, Room, View } from './view';

const { sessions } = texts;

/** A session as one thing: what it came to, its one report, and its runs. */
export function SessionView({ folder }: { folder: string }) {
  const { result, problem, retry } = useReading({ name: 'openSession', session: folder }, useRecording());
  if (result) return <Opened opened={result} folder={folder} />;
  return (
    <View title={sessions.loadingSession} bar={<BackButton />}>
      {problem ? (
        <ProblemNotice title={sessions.problemTitleSession} problem={problem} onRetry={retry} />
      ) : (
        <LoadingNotice text={sessions.loadingSession} />
      )}
    </View>
  );
}

interface Props {
  opened: OpenedSession;
  folder: string;
}

function Opened({ opened, folder }: Props) {
  const { session, runs } = opened;
  const absent = session.runs.filter((_, index) => !runs[index]);
  return (
    <View title={session.name} bar={<SessionHead opened={opened} folder={folder} />}>
      <Room title={session.name}>
        <HistoryTable runs={runs.flatMap((run) => run ?? [])} isOfSession />
        {absent.map(({ folder: name, name: title, state, reason }) => (
          <p key={name} className={styles.absent}>
            {sessions.notThere(title, texts.report.ofSession.states[state], reason)}
          </p>
        ))}
      </Room>
      <div className={history.foot}>
        <span />
        <CompareBar />
      </div>
    </View>
  );
}

function SessionHead({ opened: { session }, folder }: Props) {
  const { name, verdict, reason } = session;
  const exportAll = (): void => openSheet({ name: 'exportGroup', group: { session: folder }, title: name });
  useScreenKeys({ e: exportAll });
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <BackButton />
        <h2 className={styles.title} title={name}>
          {name}
        </h2>
        <dl className={styles.facts}>
          <div>
            <dt>{sessions.columns.started}</dt>
            <dd>{dateTime(session.startedAt)}</dd>
          </div>
          <div>
            <dt>{sessions.columns.lasted}</dt>
            <dd>{lastedText(session)}</dd>
          </div>
          <div>
            <dt>{sessions.state}</dt>
            <dd>{sessions.states[session.state]}</dd>
          </div>
        </dl>
      </div>
      <div className={styles.verdict} data-testid="session-verdict">
        {verdict ? <VerdictMark verdict={verdict} size="large" /> : <b>{sessions.noVerdict}</b>}
        <ScrollRoom className={styles.sentence} label={sessions.sentence}>
          {reason}
        </ScrollRoom>
      </div>
      <div className={styles.actions}>
        <Button size="small" onPress={() => void openSessionReport(folder)}>
          {sessions.openReport}
        </Button>
        <Button size="small" keys="E" onPress={exportAll}>
          {sessions.export}
        </Button>
      </div>
    </header>
  );
}
