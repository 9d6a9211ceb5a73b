import { useEffect, useMemo, useRef } from 'react';
import type { ChartBoard } from '../charts/chart-board';
import { chartSpecsIn } from '../charts/chart-specs';
import { Charts } from '../charts/charts';
import { useConsole } from '../engine/console-store';
import { useSettings } from '../engine/source-settings';
import { perMbps, useNetworkUnit } from '../settings/network-unit';
import { StudyPane } from '../table/study-pane';
import { useShowsPictures } from './density';
import { RampPanel } from './ramp-panel';
import { RunTools } from './run-tools';
import { SourcePanel } from './source-panel';
import { StreamsPane } from './streams-pane';
import { streamsRunOf } from './streams-run';
import styles from './streams-screen.module.css';
import { VerdictTile } from './verdict-tile';

/** Streams, what they cost, and the study's table. */
export function StreamsScreen({ board }: { board: ChartBoard }) {
  const run = useConsole(streamsRunOf);
  const showsPictures = useShowsPictures();
  const unit = useNetworkUnit();
  const specs = useMemo(() => chartSpecsIn(unit, perMbps[unit]), [unit]);
  return (
    <>
      <div className={styles.middle}>
        <aside className={styles.side}>
          <Settings />
          <RunTools board={board} />
          <VerdictTile run={run} />
        </aside>
        <div className={styles.work} data-pictures={showsPictures || undefined}>
          {!showsPictures && <Charts board={board} specs={specs} />}
          <StreamsPane />
        </div>
      </div>
      {!showsPictures && <StudyPane />}
    </>
  );
}

/** What is sent and how; a start that is refused shows what is wrong, also where that is out of sight. */
function Settings() {
  const element = useRef<HTMLDivElement>(null);
  const isRefused = useSettings((settings) => settings.isRefused);
  useEffect(() => {
    if (!isRefused) return;
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const said = document.getElementById(field?.getAttribute('aria-describedby') ?? '');
    (said ?? element.current?.querySelector('[role="alert"]'))?.scrollIntoView({ block: 'nearest' });
    field?.focus();
    useSettings.setState({ isRefused: false });
  }, [isRefused]);
  return (
    <div ref={element} className={styles.settings}>
      <SourcePanel />
      <RampPanel />
    </div>
  );
}
