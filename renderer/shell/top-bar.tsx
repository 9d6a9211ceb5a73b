import { addStream, removeStream, startRamp, stop, toggleDisplay, toggleWhiteLine } from '../engine/actions';
import { useConsole } from '../engine/console-store';
import { useHindrances } from '../engine/hindrances';
import { useIsRamp } from '../engine/ramp';
import { useScreen } from '../navigation/shown-screen';
import { texts } from '../texts';
import { Button } from './button';
import { openSheet } from './open-sheet';
import styles from './top-bar.module.css';

export function TopBar() {
  const hindrance = useHindrances();
  const showsStreams = useScreen((state) => state.shown === 'streams');
  // After a reload the mode is unknown until the engine reports its state.
  const mode = useConsole((view) => view.engine?.mode ?? null);
  const mayOperate = useConsole(({ right }) => right === 'operate');
  const isRamp = useIsRamp();
  return (
    <header className={styles.bar}>
      <h1 className={styles.title}>{texts.title}</h1>
      <output className={styles.mode} data-testid="mode" data-mode={mode ?? undefined}>
        {mode === 'experiment' && !isRamp ? texts.experiments.running : mode && texts.modes[mode]}
      </output>
      {!mayOperate && (
        <span className={styles.looks} title={texts.served.looksHelp}>
          {texts.served.looks}
        </span>
      )}
      <div className={styles.actions}>
        {showsStreams && (
          <>
            <Button keys="A" isPrimary hindrance={hindrance.addStream} onPress={addStream}>
              {texts.actions.addStream}
            </Button>
            <Button keys="R" hindrance={hindrance.removeStream} onPress={() => removeStream()}>
              {texts.actions.removeStream}
            </Button>
            <Button keys="Space" hindrance={hindrance.startRamp} onPress={() => void startRamp()}>
              {texts.actions.startRamp}
            </Button>
          </>
        )}
        <Button keys="Escape" keyLabel="Esc" hindrance={hindrance.stop} onPress={stop}>
          {texts.actions.stop}
        </Button>
      </div>
      <div className={styles.actions}>
        <Button keys="F" onPress={toggleWhiteLine}>
          {texts.actions.whiteLine}
        </Button>
        <Button keys="D" hindrance={hindrance.display} onPress={toggleDisplay}>
          {texts.actions.display}
        </Button>
        <Button keys="E" hindrance={hindrance.export} onPress={() => openSheet('export')}>
          {texts.actions.export}
        </Button>
        <Button keys="?" label={texts.actions.shortcuts} onPress={() => openSheet('shortcuts')} />
      </div>
    </header>
  );
}
