import type { ExperimentOffer } from '../../app/protocol/console';
import { texts } from '../texts';
import { startDrag } from './drag';
import styles from './experiment-list.module.css';
import { choose } from './experiments-store';

const words = texts.experiments;

interface Props {
  offers: readonly ExperimentOffer[];
  /** Null while a step of the plan is set up. */
  chosen: string | null;
}

/** All experiments, each with whether it can be run here; they can be dragged into the plan. */
export function ExperimentList({ offers, chosen }: Props) {
  return (
    <nav className={styles.list} aria-label={words.list}>
      <ul>
        {offers.map((offer) => {
          const { id, title, requirements } = offer;
          const missing = requirements.filter((requirement) => requirement.missing !== null).length;
          return (
            <li key={id}>
              <button
                type="button"
                draggable
                className={styles.item}
                aria-current={id === chosen ? 'true' : undefined}
                data-experiment={id}
                onDragStart={(event) => startDrag(event, { experiment: id })}
                onClick={() => choose({ experiment: id })}
              >
                <span className={styles.title}>{title}</span>
                <span className={styles.state} data-missing={missing > 0 || undefined}>
                  {missing === 0 ? words.ready : words.needs(missing)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <p className={styles.hint}>{words.listHint}</p>
    </nav>
  );
}
