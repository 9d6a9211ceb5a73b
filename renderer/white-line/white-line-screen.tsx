import { useCallback, useLayoutEffect, useRef } from 'react';
import { shell } from '../engine/connection';
import { figure } from '../format';
import { useMouseMoved } from '../shell/mouse-moved';
import { texts } from '../texts';
import type { RefreshCounter } from './refresh-counter';
import { WhiteLineCanvas } from './white-line-canvas';
import styles from './white-line-screen.module.css';

/** The white line over a whole display, for the eye. */
export function WhiteLineScreen() {
  const missed = useRef<HTMLElement>(null);
  const refresh = useRef<HTMLElement>(null);
  const isShown = useMouseMoved();

  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key === 'Escape' || event.key.toLowerCase() === 'f') void shell.toggleWhiteLine();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  const onRefresh = useCallback((counter: RefreshCounter) => {
    if (missed.current) missed.current.textContent = figure(counter.missed);
    if (refresh.current) refresh.current.textContent = figure(counter.refreshHz, 2);
  }, []);

  return (
    <main className={styles.screen} data-quiet={!isShown || undefined}>
      <WhiteLineCanvas className={styles.canvas} onRefresh={onRefresh} testId="white-line" />
      <div className={styles.figures}>
        <p>
          {texts.whiteLine.missed} <b ref={missed} data-metric="compositorTicksMissed" />
        </p>
        <p>
          {texts.whiteLine.refresh} <b ref={refresh} data-metric="refreshHz" /> {texts.whiteLine.hertz}
        </p>
        <p className={styles.hint}>{texts.whiteLine.scanOut}</p>
        <p className={styles.hint}>{texts.whiteLine.close}</p>
      </div>
    </main>
  );
}
