import { useState } from 'react';
import { ChartBoard } from '../charts/chart-board';
import { history } from '../engine/connection';
import { useRefusal } from '../engine/refusal';
import { Navigation } from '../navigation/navigation';
import { screens } from '../navigation/screens';
import { useScreen } from '../navigation/shown-screen';
import { SourceView } from '../source-view/source-view';
import { texts } from '../texts';
import { Alerts } from './alerts';
import styles from './console.module.css';
import { CrashBanner } from './crash-banner';
import { DropTarget } from './drop-target';
import { Guard } from './guard';
import { useKeptFocus } from './kept-focus';
import { useKeyboard } from './keyboard';
import { RefusedPage } from './refused-page';
import { Sheets } from './sheets';
import { StatusBar } from './status-bar';
import { TopBar } from './top-bar';

/** The window: one screen at a time, and around it what every screen has. */
export function Console() {
  const [board] = useState(() => new ChartBoard(history));
  const shown = useScreen((state) => state.shown);
  const isRefused = useRefusal((state) => state.isRefused);
  useKeyboard(board);
  useKeptFocus();
  if (isRefused) return <RefusedPage />;
  return (
    <div className={styles.console}>
      <div className={styles.bar}>
        <TopBar />
      </div>
      <Navigation />
      <main className={styles.main}>
        <div className={styles.screen}>
          <CrashBanner />
          <Guard key={shown} what={texts.thisScreen}>
            {screens.find(({ id }) => id === shown)?.render(board)}
          </Guard>
        </div>
        <Alerts />
      </main>
      <div className={styles.bar}>
        <StatusBar />
      </div>
      <Sheets />
      <SourceView />
      <DropTarget />
    </div>
  );
}
