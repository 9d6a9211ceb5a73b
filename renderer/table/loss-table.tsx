import { frameRangeText } from '../../app/facts/frame-range';
import { endOfLoss } from '../../app/facts/leading-cause';
import type { LossStage } from '../../app/facts/loss';
import { lossCauseText } from '../../app/facts/loss-words';
import { metricOf } from '../../app/facts/metrics/registry';
import { spoiltFigureOf } from '../../app/facts/spoilt';
import { clockTime, figure, timeZone } from '../format';
import { texts } from '../texts';
import styles from './detail.module.css';
import { lossPlace } from './loss-place';
import type { StreamLoss } from './losses';

const { losses: words } = texts;

/** The count that a loss of this stage went into. */
const metricOfStage: Record<LossStage, string> = {
  sender: 'framesSenderMissed',
  'receiver-queue': 'framesDroppedReceiverQueue',
  transport: 'framesDroppedTransport',
  'transport-or-queue': 'framesDropped',
  undecodable: 'framesUndecodable',
  missing: 'framesMissing',
  ...spoiltFigureOf,
};

interface Props {
  losses: readonly StreamLoss[];
  showsRow?: boolean;
}

/** Each loss with its time, its place and its cause in words. */
export function LossTable({ losses, showsRow }: Props) {
  const hasTogether = losses.some(({ isOnlyStream }) => !isOnlyStream);
  return (
    <table className={styles.table} data-testid="losses">
      <thead>
        <tr>
          {showsRow && <th scope="col">{words.row}</th>}
          <th scope="col">
            {words.time} ({timeZone})
          </th>
          <th scope="col">{words.stream}</th>
          <th scope="col" className={styles.number}>
            {words.frames}
          </th>
          <th scope="col">{words.stage}</th>
          <th scope="col">{words.text}</th>
          {hasTogether && <th scope="col">{words.streams}</th>}
        </tr>
      </thead>
      <tbody>
        {losses.map((loss) => (
          <tr key={`${loss.row} ${loss.streamId} ${loss.stage} ${loss.firstFrame}`}>
            {showsRow && <td>{loss.row ?? words.betweenRows}</td>}
            <td title={`${clockTime(loss.startedAt)} – ${clockTime(loss.endedAt)} ${timeZone}`}>
              {clockTime(loss.startedAt)}
            </td>
            <td className={styles.name} title={loss.name}>
              {loss.name}
            </td>
            <td className={styles.number} title={frameRangeText(loss)}>
              {figure(loss.frames)}
            </td>
            <td className={styles.stage} title={metricOf(metricOfStage[loss.stage]).description}>
              {lossPlace(loss.stage, endOfLoss(loss.stage, loss.causes))}
            </td>
            <td className={styles.sentence}>{lossCauseText(loss)}</td>
            {hasTogether && (
              <td className={styles.together} data-together={loss.streamsTogether > 1 || undefined}>
                {togetherText(loss)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function togetherText({ streamsTogether, isOnlyStream }: StreamLoss): string {
  if (isOnlyStream) return '';
  return streamsTogether > 1 ? words.together(streamsTogether) : words.alone;
}
