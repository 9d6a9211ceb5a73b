import type { ReactNode } from 'react';
import { tryRamp } from '../engine/actions';
import { useHindrances } from '../engine/hindrances';
import { useSettings } from '../engine/source-settings';
import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './first-steps.module.css';

const { first } = texts.streams;

/** What this is, what a ramp is and which network it uses, before anything has run. */
export function FirstSteps({ keys }: { keys: ReactNode }) {
  const { startRamp } = useHindrances();
  const sendOn = useSettings((settings) => settings.sendOn);
  const receiveOn = useSettings((settings) => settings.receiveOn);
  const isInside = sendOn === receiveOn;
  return (
    <div className={styles.first}>
      <h2 className={styles.title}>{first.title}</h2>
      {first.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p data-testid="network-used">
        {isInside
          ? first.inside(sendOn ?? first.here)
          : first.between(sendOn ?? first.here, receiveOn ?? first.here)}
      </p>
      <div className={styles.start}>
        <Button isPrimary hindrance={startRamp} onPress={() => void tryRamp()}>
          {first.tryIt}
        </Button>
        <span>{first.tryItHelp}</span>
      </div>
      <p>{keys}</p>
    </div>
  );
}
