import { useSyncExternalStore } from 'react';
import type { LoadHistory } from '../engine/load-history';
import { useSilence } from '../engine/use-silence';
import { timeOfDay, timeZone } from '../format';
import { Button } from '../shell/button';
import { texts } from '../texts';
import type { ChartBoard } from './chart-board';
import { ChartPanel } from './chart-panel';
import { type ChartSpec, chartSpecs, drawable, unmeasured } from './chart-specs';
import styles from './charts.module.css';

interface Props {
  board: ChartBoard;
  /** All, unless a run has nothing to draw in some. */
  specs?: readonly ChartSpec[];
}

/** CPU, network, GPU, latency and losses over one time axis. */
export function Charts({ board, specs = chartSpecs }: Props) {
  const isHeldNow = (): boolean => board.isHeld;
  // Given twice: the report is rendered without a window too.
  const isHeld = useSyncExternalStore((listener) => board.subscribe(listener), isHeldNow, isHeldNow);
  const { history } = board;
  const reasonsNow = (): string => reasonsOf(unmeasured(specs, history), history);
  const reasons = useSyncExternalStore((listener) => history.subscribe(listener), reasonsNow, reasonsNow);
  const shownNow = (): string => idsOf(drawable(specs, history));
  const shown = useSyncExternalStore((listener) => history.subscribe(listener), shownNow, shownNow);
  const drawn = specs.filter(({ id }) => shown.includes(id));
  return (
    <section className={styles.charts} aria-label={texts.charts.title} data-charts={drawn.length}>
      {drawn.map((spec) => (
        <ChartPanel key={spec.id} spec={spec} board={board} />
      ))}
      {reasons !== '' && (
        <p className={styles.unmeasured} title={reasons}>
          {reasons}
        </p>
      )}
      <div className={styles.notices}>
        <Silence board={board} />
        {isHeld && (
          <div className={styles.held}>
            <span>{texts.actions.frozen}</span>
            <Button keys={board.showsWhole ? undefined : 'P'} size="small" onPress={() => board.reset()}>
              {board.showsWhole ? texts.actions.showWhole : texts.actions.showNewest}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function idsOf(specs: readonly ChartSpec[]): string {
  return specs.map(({ id }) => id).join(' ');
}

function reasonsOf(specs: readonly ChartSpec[], { notMeasured }: LoadHistory): string {
  const { unmeasured: sentence, noReason } = texts.charts;
  return specs
    .map(({ title, reasonField }) => sentence(title, notMeasured[reasonField] ?? noReason))
    .join(' ');
}

/** Says that charts stand still because nothing comes any more. */
function Silence({ board }: { board: ChartBoard }) {
  const { history } = board;
  const isSilent = useSilence(history);
  const { lastTime } = history.load;
  if (!isSilent || lastTime === null) return null;
  return (
    <p className={styles.silent} role="status" data-testid="charts-silent">
      {texts.charts.silent(`${timeOfDay(lastTime * 1000)} ${timeZone}`)}
    </p>
  );
}
