import { mostComparedRuns } from '../../app/protocol/archive';
import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './compare-bar.module.css';
import { lookOf } from './run-looks';
import { useScreenKeys } from './screen-keys';
import { comparabilityOf, showComparison, useSessions } from './sessions-store';

const { sessions } = texts;

/** What is marked to be compared, and what is still missing for it. */
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
      <Button
        keys="C"
        size="small"
        isPrimary={compare !== undefined}
        isDisabled={compare === undefined}
        onPress={() => compare?.()}
      >
        {sessions.compareMarked(lookOf(Math.max(marked.length, 2) - 1).letter)}
      </Button>
    </div>
  );
}
