import type { ChartBoard } from '../charts/chart-board';
import { useConsole } from '../engine/console-store';
import { useHindrances } from '../engine/hindrances';
import { Button } from '../shell/button';
import { openSheet } from '../shell/open-sheet';
import { texts } from '../texts';
import { CleanTime } from './clean-time';
import { saidOf, setMarker, useMarking } from './marking';
import styles from './run-tools.module.css';

/** What can be done with a run while its charts are shown. */
export function RunTools({ board }: { board: ChartBoard }) {
  const hindrance = useHindrances();
  const newest = useConsole(({ engine }) => engine?.run?.id ?? null);
  const said = useMarking((marking) => saidOf(marking, newest));
  // With nothing going on, the verdict needs the room: then it is only read out.
  const isIdle = useConsole(({ engine }) => engine?.mode === 'idle');
  return (
    <section className={styles.tools} aria-label={texts.marking.title}>
      <p className={isIdle ? 'visually-hidden' : styles.said} role="status">
        {said}
      </p>
      <CleanTime />
      <Button size="small" keys="M" hindrance={hindrance.mark} onPress={() => void setMarker()}>
        {texts.marking.marker}
      </Button>
      <Button size="small" keys="N" hindrance={hindrance.note} onPress={() => openSheet('note')}>
        {texts.marking.note}
      </Button>
      <Button size="small" keys="P" onPress={() => board.toggleFreeze()}>
        {texts.actions.freeze}
      </Button>
    </section>
  );
}
