import { useEffect } from 'react';
import { receiverNames, thisMachine } from '../../app/protocol/stream-parameters';
import { useMachines, watchMachines } from '../engine/machines';
import { type EndPlace, type SourceSettings, useSettings } from '../engine/source-settings';
import { OfferedNames } from '../forms/offered-names';
import { texts } from '../texts';
import styles from './panel.module.css';

const words = texts.source.places;

/** On which machines the ends of the next streams run; nothing if there is no fleet. */
export function EndPlaces() {
  const { names } = useMachines();
  const settings = useSettings();
  useEffect(watchMachines, []);
  return <Ends names={names} settings={settings} />;
}

interface EndsProps {
  /** Of the machines whose agents are connected. */
  names: readonly string[];
  settings: Pick<SourceSettings, 'sendOn' | 'receiveOn' | 'problems'>;
}

export function Ends({ names, settings: { sendOn, receiveOn, problems } }: EndsProps) {
  if (names.length === 0 && sendOn === null && receiveOn === null) return null;
  const receivers = receiverNames(receiveOn);
  return (
    <>
      <Place end="sendOn" names={names} chosen={sendOn === null ? [] : [sendOn]} problem={problems.sendOn} />
      <Place end="receiveOn" names={names} chosen={receivers} problem={problems.receiveOn} />
      {receivers.length > 1 && <p className={styles.hint}>{words.inTurn(receivers)}</p>}
    </>
  );
}

interface PlaceProps {
  end: EndPlace;
  chosen: readonly string[];
  names: readonly string[];
  problem: string | undefined;
}

function Place({ end, chosen, names, problem }: PlaceProps) {
  return (
    <div className={styles.place} data-testid={end}>
      <p className={styles.hint}>{words[end]}</p>
      <OfferedNames
        label={words[end]}
        // One whose agent has left stays to be seen: it is what would be asked for.
        names={[...new Set([thisMachine, ...names, ...chosen])]}
        takesSeveral={end === 'receiveOn'}
        without={thisMachine}
        value={chosen.join(',')}
        onChange={(text) =>
          useSettings.setState({ [end]: text === '' || text === thisMachine ? null : text })
        }
      />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
