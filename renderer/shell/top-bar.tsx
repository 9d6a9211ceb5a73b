import {
  addStream,
  removeStream,
  startRamp,
  stop,
  toggleWhiteLine,
  usePossibilities,
} from '../engine/actions';
import { useConsole } from '../engine/console-store';
import { texts } from '../texts';
import { Button } from './button';
import { openSheet } from './sheets';
import styles from './top-bar.module.css';

export function TopBar() {
  const possible = usePossibilities();
  const mode = useConsole((view) => view.engine?.mode ?? 'idle');
  return (
    <header className={styles.bar}>
      <h1 className={styles.title}>{texts.title}</h1>
      <output className={styles.mode} data-testid="mode" data-mode={mode}>
        {texts.modes[mode]}
      </output>
      <div className={styles.actions}>
        <Button keys="A" isPrimary isDisabled={!possible.addStream} onPress={addStream}>
          {texts.actions.addStream}
        </Button>
        <Button keys="R" isDisabled={!possible.removeStream} onPress={() => removeStream()}>
          {texts.actions.removeStream}
        </Button>
        <Button keys="Space" isDisabled={!possible.startRamp} onPress={startRamp}>
          {texts.actions.startRamp}
        </Button>
        <Button keys="Escape" keyLabel="Esc" isDisabled={!possible.stop} onPress={stop}>
          {texts.actions.stop}
        </Button>
      </div>
      <div className={styles.actions}>
        <Button keys="F" onPress={toggleWhiteLine}>
          {texts.actions.whiteLine}
        </Button>
        <Button keys="E" isDisabled={!possible.export} onPress={() => openSheet('export')}>
          {texts.actions.export}
        </Button>
        <Button keys="?" label={texts.actions.shortcuts} onPress={() => openSheet('shortcuts')} />
        <Button onPress={() => openSheet('about')}>{texts.actions.about}</Button>
      </div>
    </header>
  );
}
