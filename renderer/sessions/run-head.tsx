import { shortList } from '../../app/experiments/tested';
import type { OpenedRun } from '../../app/protocol/archive';
import { runAgain } from '../experiments/experiment-actions';
import { setUpOf } from '../experiments/set-up-of-run';
import { dateTime } from '../format';
import { playedText } from '../report/played';
import { Button } from '../shell/button';
import { ScrollRoom } from '../shell/scroll-room';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './run-head.module.css';
import { experimentTitle, formatsText, lastedText } from './run-texts';
import { useScreenKeys } from './screen-keys';
import { attachPicture, deleteRun, openFolder, openReport, togglePin } from './session-actions';
import { noFilter, openSheet, showComparison, showHistory, toggleMark, useSessions } from './sessions-store';
import { BackButton } from './view';

const { sessions } = texts;

/** What the run is, its verdict and sentence, and what can be done with it. */
export function RunHead({ opened }: { opened: OpenedRun }) {
  const { summary } = opened;
  const { title, verdict, reason, isBaseline } = summary;
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <BackButton />
        <h2 className={styles.title} title={title}>
          {title}
        </h2>
        {isBaseline && (
          <span className={styles.badge} title={sessions.baselineHelp}>
            {sessions.baseline}
          </span>
        )}
        <Facts opened={opened} />
      </div>
      <div className={styles.verdict} data-testid="run-verdict">
        {verdict ? <VerdictMark verdict={verdict} size="large" /> : <b>{sessions.noVerdict}</b>}
        <ScrollRoom className={styles.sentence} label={sessions.sentence}>
          {reason}
        </ScrollRoom>
      </div>
      <RunActions opened={opened} />
    </header>
  );
}

function RunActions({ opened: { run, summary } }: { opened: OpenedRun }) {
  const { folder, experiment, isBaseline, state } = summary;
  const baseline = useSessions(({ baselines }) => baselines[experiment]);
  const rename = (): void => openSheet({ name: 'rename', run: summary });
  const note = (): void => openSheet({ name: 'note', run: summary });
  const exportSheet = (): void => openSheet({ name: 'export', run: summary });
  const pin = (): void => void togglePin(summary);
  const compare = (): void => compareWithAnother(summary);
  const remove = (): void => void deleteRun(folder);
  const again = setUpOf(run) !== null && (() => runAgain(run));
  const canPin = isBaseline || state === 'finished';
  useScreenKeys({
    f2: rename,
    n: note,
    r: again,
    e: exportSheet,
    b: canPin && pin,
    c: compare,
    delete: remove,
  });
  return (
    <div className={styles.actions}>
      <Button size="small" onPress={() => void openReport(summary)}>
        {sessions.openReport}
      </Button>
      <Button size="small" keys="E" onPress={exportSheet}>
        {sessions.export}
      </Button>
      <Button size="small" keys="C" onPress={compare}>
        {sessions.compareWith}
      </Button>
      {again && (
        <Button size="small" keys="R" onPress={again}>
          {sessions.runAgain}
        </Button>
      )}
      {baseline !== undefined && baseline !== folder && (
        <Button size="small" onPress={() => showComparison([baseline, folder])}>
          {sessions.compareBaseline}
        </Button>
      )}
      <Button size="small" keys="N" onPress={note}>
        {sessions.note}
      </Button>
      <Button size="small" onPress={() => void attachPicture(summary)}>
        {sessions.picture}
      </Button>
      <Button size="small" keys="F2" onPress={rename}>
        {sessions.rename}
      </Button>
      <Button size="small" keys="B" hindrance={canPin ? null : sessions.notPinned} onPress={pin}>
        {isBaseline ? sessions.unpin : sessions.pin}
      </Button>
      <Button size="small" onPress={() => void openFolder(summary)}>
        {sessions.openFolder}
      </Button>
      <Button size="small" keys="Delete" keyLabel="Del" onPress={remove}>
        {sessions.delete}
      </Button>
    </div>
  );
}

function Facts({ opened: { run, summary } }: { opened: OpenedRun }) {
  const { state, hosts, experiment, sources, streams } = summary;
  const facts: [string, string][] = [
    [sessions.experiment, experimentTitle(experiment)],
    [sessions.columns.started, dateTime(summary.startedAt)],
    [sessions.columns.lasted, lastedText(summary)],
    [sessions.state, sessions.states[state]],
    [sessions.columns.source, [shortList(sources), formatsText(summary)].join(' ').trim()],
    [sessions.columns.streams, streams > 0 ? String(streams) : ''],
    [sessions.columns.host, hosts.join(', ')],
    [texts.source.played, playedText(run.environment)],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={text}>{text}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Back to the list of its experiment's runs, with this one marked as A. */
function compareWithAnother(run: OpenedRun['summary']): void {
  useSessions.setState({ marked: [], filter: { ...noFilter, experiment: run.experiment }, offset: 0 });
  toggleMark(run);
  showHistory();
}
