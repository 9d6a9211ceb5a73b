import { useState } from 'react';
import { ChartBoard } from '../charts/chart-board';
import { Charts } from '../charts/charts';
import { history } from '../engine/connection';
import { SourceView } from '../source-view/source-view';
import { RampPanel } from '../streams/ramp-panel';
import { SourcePanel } from '../streams/source-panel';
import { StreamsPane } from '../streams/streams-pane';
import { VerdictTile } from '../streams/verdict-tile';
import { StudyPane } from '../table/study-pane';
import { Alerts } from './alerts';
import styles from './console.module.css';
import { DropTarget } from './drop-target';
import { useKeyboard } from './keyboard';
import { Sheets } from './sheets';
import { StatusBar } from './status-bar';
import { TopBar } from './top-bar';

/** The Streams screen. */
export function Console() {
  const [board] = useState(() => new ChartBoard(history));
  useKeyboard(board);
  return (
    <div className={styles.console}>
      <TopBar />
      <main className={styles.main}>
        <Alerts />
        <div className={styles.middle}>
          <aside className={styles.side}>
            <SourcePanel />
            <RampPanel />
            <VerdictTile />
          </aside>
          <div className={styles.work}>
            <Charts board={board} />
            <StreamsPane />
          </div>
        </div>
        <StudyPane />
      </main>
      <StatusBar />
      <Sheets />
      <SourceView />
      <DropTarget />
    </div>
  );
}
