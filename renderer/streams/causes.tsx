import { Fold } from '../shell/fold';
import { texts } from '../texts';
import styles from './causes.module.css';

const mostShown = 3;

/** Why something is so, one below the other: the first ones, and the rest behind a click. */
export function Causes({ causes }: { causes: readonly string[] }) {
  const [shown, further] = [causes.slice(0, mostShown), causes.slice(mostShown)];
  if (shown.length === 0) return null;
  return (
    <>
      <List causes={shown} />
      {further.length > 0 && (
        <Fold title={texts.streams.result.moreCauses(further.length)}>
          <List causes={further} />
        </Fold>
      )}
    </>
  );
}

function List({ causes }: { causes: readonly string[] }) {
  return (
    <ul className={styles.causes}>
      {causes.map((cause) => (
        <li key={cause}>{cause}</li>
      ))}
    </ul>
  );
}
