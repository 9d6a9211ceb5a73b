import { useEffect } from 'react';
import { useMachines, watchMachines } from '../engine/machines';
import { type EndPlace, useSettings } from '../engine/source-settings';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import styles from './panel.module.css';

const words = texts.source.places;
const here = '';

/** On which machine each end of the next streams runs; nothing where there is no fleet. */
export function EndPlaces() {
  const { names } = useMachines();
  const { sendOn, receiveOn, problems } = useSettings();
  useEffect(watchMachines, []);
  if (names.length === 0 && sendOn === null && receiveOn === null) return null;
  return (
    <>
      <Place end="sendOn" chosen={sendOn} names={names} problem={problems.sendOn} />
      <Place end="receiveOn" chosen={receiveOn} names={names} problem={problems.receiveOn} />
    </>
  );
}

interface PlaceProps {
  end: EndPlace;
  chosen: string | null;
  names: readonly string[];
  problem: string | undefined;
}

function Place({ end, chosen, names, problem }: PlaceProps) {
  // One whose agent has left stays to be seen: it is what would be asked for.
  const all = [...new Set([...names, ...(chosen === null ? [] : [chosen])])];
  const options = [[here, words.here] as const, ...all.map((name) => [name, name] as const)];
  return (
    <div data-testid={end}>
      <p className={styles.hint}>{words[end]}</p>
      <Choice
        label={words[end]}
        options={options}
        value={chosen ?? here}
        onChange={(name) => useSettings.setState({ [end]: name === here ? null : name })}
      />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
