import { type LossCause, lossPlaces } from '../../app/protocol/report';
import { figure } from '../format';
import { lossPlace } from '../table/loss-place';
import { texts } from '../texts';
import styles from './loss-causes.module.css';
import table from './plain-table.module.css';
import { stageStyle } from './stage-looks';

function framesText(stage: LossCause['stage'], frames: number | null): string {
  return stage === 'outage' && frames !== null ? texts.losses.about(figure(frames)) : figure(frames);
}

/** Frames lost by row, stacked by where they were lost, and beside them each cause in words. */
export function LossCauses({ causes }: { causes: readonly LossCause[] }) {
  if (causes.length === 0) return null;
  const rows = [...new Set(causes.map(({ row }) => row))];
  const framesOf = (row: number, stage?: string): number =>
    causes
      .filter((cause) => cause.row === row && (stage === undefined || cause.stage === stage))
      .reduce((sum, { frames }) => sum + (frames ?? 0), 0);
  const most = Math.max(...rows.map((row) => framesOf(row)));
  const stages = lossPlaces.filter((stage) => causes.some((cause) => cause.stage === stage));
  return (
    <div className={styles.causes}>
      <figure className={styles.chart}>
        <figcaption className={styles.legend}>
          {stages.map((stage) => (
            <span key={stage} className={styles.stage}>
              <span className={styles.sample} data-stage={stage} style={stageStyle(stage)} />
              {texts.losses.stages[stage]}
            </span>
          ))}
        </figcaption>
        {rows.map((row) => (
          <div key={row} className={styles.bar}>
            <span className={styles.name}>
              {texts.losses.row} {row}
            </span>
            <span className={styles.track}>
              {stages.map((stage) => {
                const frames = framesOf(row, stage);
                return frames === 0 ? null : (
                  <span
                    key={stage}
                    className={styles.part}
                    data-stage={stage}
                    style={{ ...stageStyle(stage), width: `${(frames / most) * 100}%` }}
                    title={`${texts.losses.stages[stage]}: ${figure(frames)}`}
                  />
                );
              })}
            </span>
            <span className={styles.total}>
              <b data-lost-row={row}>{figure(framesOf(row) - framesOf(row, 'outage'))}</b>
              {framesOf(row, 'outage') > 0 && ` + ${texts.losses.about(figure(framesOf(row, 'outage')))}`}
            </span>
          </div>
        ))}
      </figure>
      <table className={table.table} data-testid="loss-causes">
        <thead>
          <tr>
            <th scope="col">{texts.losses.row}</th>
            <th scope="col">{texts.losses.stage}</th>
            <th scope="col">{texts.losses.cause}</th>
            <th scope="col" className={table.number}>
              {texts.losses.times}
            </th>
            <th scope="col" className={table.number}>
              {texts.losses.frames}
            </th>
          </tr>
        </thead>
        <tbody>
          {causes.map(({ row, stage, end, cause, losses, frames }) => (
            <tr key={`${row} ${stage} ${cause}`} data-row={row} data-stage={stage} data-cause={cause}>
              <td>{row}</td>
              <td>{lossPlace(stage, end)}</td>
              <td>{cause}</td>
              <td className={table.number} data-count="losses">
                {figure(losses)}
              </td>
              <td className={table.number} data-count="frames">
                {framesText(stage, frames)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
