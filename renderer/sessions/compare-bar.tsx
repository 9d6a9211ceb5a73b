import { type ArchivedRun, mostComparedRuns } from '../../app/protocol/archive';
import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './compare-bar.module.css';
import { lookOf } from './run-looks';
import { useScreenKeys } from './screen-keys';
import { comparabilityOf, openSheet, showComparison, useSessions } from './sessions-store';

const { sessions } = texts;

/** What is marked, to be compared or to be reported together, and what is still missing for a comparison. */
export function CompareBar() {
  const marked = useSessions((state) => state.marked);
  const comparability = comparabilityOf(marked);
  const compare =
    comparability === 'ready' ? () => showComparison(marked.map(({ folder }) => folder)) : undefined;
  useScreenKeys({ c: compare });
  const hint = {
    none: sessions.keys(mostComparedRuns),
    one: sessions.compareSecond(marked[0]?.title ?? ''),
    different: sessions.compareOther,
    many: sessions.compareMany(marked.length, mostComparedRuns),
    ready: sessions.compareReady(marked.length, mostComparedRuns),
  }[comparability];
  return (
    <div className={styles.bar}>
      <span role="status">{hint}</span>
      {marked.length > 0 && (
        <Button size="small" onPress={() => useSessions.setState({ marked: [] })}>
          {sessions.unmark}
        </Button>
      )}
      {marked.length > 1 && (
        <Button size="small" onPress={() => reportMarked(marked)}>
          {sessions.reportMarked}
        </Button>
      )}
      <Button
        keys="C"
        size="small"
        isPrimary={compare !== undefined}
        hindrance={compare ? null : hint}
        onPress={() => compare?.()}
      >
        {sessions.compareMarked(lookOf(Math.min(Math.max(marked.length, 2), mostComparedRuns) - 1).letter)}
      </Button>
    </div>
  );
}

/** One report of all that is marked, in the order in which it was marked. */
function reportMarked(marked: readonly ArchivedRun[]): void {
  const group = { runs: marked.map(({ folder }) => folder) };
  openSheet({ name: 'exportGroup', group, title: sessions.runs(marked.length) });
}
