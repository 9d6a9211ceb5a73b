import { texts } from '../texts';
import styles from './source-remarks.module.css';

/** What is particular about how the engine would play a source. */
export function SourceRemarks({ remarks }: { remarks: readonly string[] }) {
  if (remarks.length === 0) return null;
  return (
    <p className={styles.remarks} data-testid="source-remarks">
      {`${texts.source.played}: ${remarks.join('; ')}`}
    </p>
  );
}
