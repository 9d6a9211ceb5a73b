import { useShallow } from 'zustand/react/shallow';
import type { DisplayFacts } from '../../app/protocol/display';
import { shell } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { figure } from '../format';
import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './display-screen.module.css';

const { display } = texts;

interface Props {
  streamId: number | null;
  displays: readonly DisplayFacts[];
  hasFigures: boolean;
  onStream: (streamId: number) => void;
  onDisplay: (displayId: string) => void;
  onFigures: () => void;
}

/** What is shown, and where. */
export function DisplayMenu({ streamId, displays, hasFigures, onStream, onDisplay, onFigures }: Props) {
  const names = useConsole(
    useShallow((view) => view.engine?.streams.map(({ id, name }) => `${id} ${name}`) ?? []),
  );
  const shown = displays.find(({ isShown }) => isShown)?.id ?? '';
  return (
    <div className={styles.menu} data-testid="display-menu">
      <label className={styles.choice}>
        {display.stream}
        <select value={streamId ?? ''} onChange={(event) => onStream(Number(event.target.value))}>
          {names.length === 0 && <option value="">{display.noStream}</option>}
          {names.map((entry) => {
            const [id, ...name] = entry.split(' ');
            return (
              <option key={id} value={id}>
                {name.join(' ')}
              </option>
            );
          })}
        </select>
      </label>
      <label className={styles.choice}>
        {display.display}
        <select value={shown} onChange={(event) => onDisplay(event.target.value)}>
          {displays.map((facts, index) => (
            <option key={facts.id} value={facts.id}>
              {nameOf(facts, index + 1)}
            </option>
          ))}
        </select>
      </label>
      <Button size="small" keys="F" onPress={() => void shell.toggleFullScreen()}>
        {display.fullScreen}
      </Button>
      <Button size="small" keys="H" onPress={onFigures}>
        {hasFigures ? display.hide : display.figures}
      </Button>
      <Button size="small" keys="Escape" keyLabel="Esc" onPress={() => void shell.toggleDisplay(null)}>
        {texts.actions.close}
      </Button>
    </div>
  );
}

function nameOf({ label, width, height, refreshHz }: DisplayFacts, number: number): string {
  const rate = refreshHz > 0 ? figure(refreshHz, Number.isInteger(refreshHz) ? 0 : 2) : '';
  return display.displayName(number, label, `${width}×${height}`, rate);
}
