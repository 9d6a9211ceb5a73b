import { useSyncExternalStore } from 'react';
import { Button } from '../shell/button';
import { texts } from '../texts';
import type { ChartBoard } from './chart-board';
import { ChartPanel } from './chart-panel';
import { chartSpecs } from './chart-specs';
import styles from './charts.module.css';

/** CPU, GPU, network and losses over one time axis. */
export function Charts({ board }: { board: ChartBoard }) {
  const isHeld = useSyncExternalStore(
    (listener) => board.subscribe(listener),
    () => board.isHeld,
  );
  return (
    <section className={styles.charts} aria-label={texts.charts.title}>
      {chartSpecs.map((spec) => (
        <ChartPanel key={spec.id} spec={spec} board={board} />
      ))}
      {isHeld && (
        <div className={styles.held}>
          <span>{texts.actions.frozen}</span>
          <Button keys={board.showsWhole ? undefined : 'P'} size="small" onPress={() => board.reset()}>
            {board.showsWhole ? texts.actions.showWhole : texts.actions.showNewest}
          </Button>
        </div>
      )}
    </section>
  );
}
